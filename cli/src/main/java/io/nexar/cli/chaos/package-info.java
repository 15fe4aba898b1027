/**
 * A bad network made on purpose: a relay that delays, loses, doubles and cuts what it passes on. It
 * must not know what is in it.
 */
@NullMarked
package io.nexar.cli.chaos;

import org.jspecify.annotations.NullMarked;
