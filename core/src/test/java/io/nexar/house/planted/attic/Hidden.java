package io.nexar.house.planted.attic;

/** Lies in a package that is no room. */
final class Hidden {}
