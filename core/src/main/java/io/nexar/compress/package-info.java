/** Compressors and their error feedback. It must not know ranks or messages. */
@NullMarked
package io.nexar.compress;

import org.jspecify.annotations.NullMarked;
