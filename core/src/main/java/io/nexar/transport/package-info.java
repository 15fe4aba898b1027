/**
 * What a transport is: listeners, links and lanes, to be implemented by this library and by others.
 * It must not know any one transport, nor what the bytes mean.
 */
@NullMarked
package io.nexar.transport;

import org.jspecify.annotations.NullMarked;
