/**
 * Proves plans right without the engine: what all ranks' plans do together, on paper. It must not
 * share a thought with planners and builder beyond the plan's form, or it would share their errors.
 */
@NullMarked
package io.nexar.collective.plan.check;

import org.jspecify.annotations.NullMarked;
