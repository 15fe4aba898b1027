/**
 * Objects to bytes and back, records first, never Java serialization. It must not know who reads
 * the bytes.
 */
@NullMarked
package io.nexar.serial;

import org.jspecify.annotations.NullMarked;
