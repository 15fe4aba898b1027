package io.nexar.house.planted.security;

import java.util.Date;

/** Reads the clock by a date of now. */
final class MakesDate {
    @SuppressWarnings("JavaUtilDate")
    final Date now = new Date();
}
