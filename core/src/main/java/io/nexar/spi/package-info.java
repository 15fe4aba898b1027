/**
 * Service interfaces that other people implement: serializers, compressors, sources of memory,
 * device adapters. It must not know the implementations in this library.
 */
@NullMarked
package io.nexar.spi;

import org.jspecify.annotations.NullMarked;
