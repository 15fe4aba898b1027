/**
 * One rank's view of its peers: which link, matching, the bounded unexpected queue, credit. It must
 * not know algorithms, nor which transport a link is made of.
 */
@NullMarked
package io.nexar.fabric;

import org.jspecify.annotations.NullMarked;
