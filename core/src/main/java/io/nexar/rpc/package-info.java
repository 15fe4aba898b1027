/**
 * Remote calls: handlers by name, requests, replies, deadlines. It must not know transports or
 * collectives.
 */
@NullMarked
package io.nexar.rpc;

import org.jspecify.annotations.NullMarked;
