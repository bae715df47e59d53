package io.leveret.node.metrics;

import java.nio.file.Path;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * What a node knows of itself that no part of it counts.
 *
 * @param isMemoryLow the memory alarm
 * @param isDiskLow the disk alarm
 */
public record NodeFacts(
        String node,
        String version,
        Path data,
        List<String> logFiles,
        int netTickSeconds,
        long startedNanos,
        BooleanSupplier isMemoryLow,
        LongSupplier memoryUsedBytes,
        LongSupplier memoryLimitBytes,
        BooleanSupplier isDiskLow,
        LongSupplier diskFreeBytes,
        LongSupplier diskLowBytes) {}
