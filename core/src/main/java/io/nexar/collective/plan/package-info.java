/**
 * Pure schedule arithmetic: operation, algorithm, rank, size and shares to a plan, and the checker
 * that proves plans right. It must not know buffers, links or time.
 */
@NullMarked
package io.nexar.collective.plan;

import org.jspecify.annotations.NullMarked;
