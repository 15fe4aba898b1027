/**
 * What plans cost on given machines: latency, bandwidth, work. Pure arithmetic over plans; it
 * measures nothing and knows no clock.
 */
@NullMarked
package io.nexar.collective.plan.cost;

import org.jspecify.annotations.NullMarked;
