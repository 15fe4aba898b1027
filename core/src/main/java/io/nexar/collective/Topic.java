package io.nexar.collective;

import io.nexar.DataType;

/**
 * What a call is about as its caller sees it, where the plan moves something else for it, such as
 * compressed bytes. All ranks must agree on it, and errors that compare calls show it.
 *
 * @param count elements, as the caller gave them
 * @param reduction the reduction's name
 * @param how what else ranks must agree on, in words: {@code by topK(0.05)}
 */
public record Topic(DataType type, long count, String reduction, String how) {}
