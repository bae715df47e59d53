package io.leveret.node.metrics;

import com.sun.management.UnixOperatingSystemMXBean;
import io.leveret.model.view.CounterSet;
import io.leveret.model.view.NamedFeature;
import io.leveret.model.view.NodeFigures;
import io.leveret.node.runtime.NodeClock;
import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** What the process of a node uses. Any thread. */
final class ProcessFigures {
    /** The exchange types, as the views list them. */
    static final List<NamedFeature> EXCHANGE_TYPES = List.of(
            new NamedFeature("direct", "AMQP direct exchange, as per the AMQP specification", true),
            new NamedFeature("fanout", "AMQP fanout exchange, as per the AMQP specification", true),
            new NamedFeature("headers", "AMQP headers exchange, as per the AMQP specification", true),
            new NamedFeature("topic", "AMQP topic exchange, as per the AMQP specification", true));

    private static final List<NamedFeature> MECHANISMS = List.of(
            new NamedFeature("PLAIN", "SASL PLAIN authentication mechanism", true),
            new NamedFeature("AMQPLAIN", "QPid AMQPLAIN mechanism", true));
    private static final Path STATUS = Path.of("/proc/self/status");
    private static final Path IO = Path.of("/proc/self/io");
    /** Counters of the views, and the words of the system for them. */
    private static final Map<String, String> IO_COUNTERS = Map.of(
            "io_read_count", "syscr",
            "io_write_count", "syscw",
            "io_read_bytes", "read_bytes",
            "io_write_bytes", "write_bytes");

    private static final long THREADS_MAX = 1_048_576;

    private final NodeFacts facts;
    private final NodeClock clock;
    private final Rates rates;

    ProcessFigures(NodeFacts facts, NodeClock clock, Rates rates) {
        this.facts = facts;
        this.clock = clock;
        this.rates = rates;
    }

    NodeFigures now(int sockets) {
        long memory = facts.memoryUsedBytes().getAsLong();
        long free = facts.diskFreeBytes().getAsLong();
        UnixOperatingSystemMXBean system = (UnixOperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        return new NodeFigures(
                Long.toString(ProcessHandle.current().pid()),
                TimeUnit.NANOSECONDS.toMillis(clock.nanoTime() - facts.startedNanos()),
                Runtime.getRuntime().availableProcessors(),
                0,
                memory,
                rates.gauge(facts.node(), "mem_used", memory),
                facts.memoryLimitBytes().getAsLong(),
                facts.isMemoryLow().getAsBoolean(),
                free,
                rates.gauge(facts.node(), "disk_free", free),
                facts.diskLowBytes().getAsLong(),
                facts.isDiskLow().getAsBoolean(),
                system.getOpenFileDescriptorCount(),
                system.getMaxFileDescriptorCount(),
                (long) sockets,
                system.getMaxFileDescriptorCount(),
                (long) ManagementFactory.getThreadMXBean().getThreadCount(),
                THREADS_MAX,
                facts.netTickSeconds(),
                "basic",
                "rss",
                facts.data().toString(),
                facts.logFiles(),
                List.of(),
                List.of(),
                EXCHANGE_TYPES,
                MECHANISMS);
    }

    /** What the process has done since it started. What the system does not tell is left out. */
    CounterSet counters() {
        Map<String, Long> counts = new LinkedHashMap<>();
        counts.put(
                "gc_num",
                ManagementFactory.getGarbageCollectorMXBeans().stream()
                        .mapToLong(GarbageCollectorMXBean::getCollectionCount)
                        .filter(count -> count > 0)
                        .sum());
        Map<String, Long> io = numbers(IO);
        IO_COUNTERS.forEach((name, word) -> {
            Long value = io.get(word);
            if (value != null) {
                counts.put(name, value);
            }
        });
        return rates.counters(facts.node(), counts);
    }

    /** What the memory of the process is used for, in bytes. */
    static Map<String, Object> memory() {
        MemoryUsage heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage();
        MemoryUsage other = ManagementFactory.getMemoryMXBean().getNonHeapMemoryUsage();
        long buffers = ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                .mapToLong(BufferPoolMXBean::getMemoryUsed)
                .sum();
        long resident = numbers(STATUS).getOrDefault("VmRSS", heap.getCommitted() / 1024) * 1024;
        long used = heap.getUsed() + other.getUsed() + buffers;
        Map<String, Object> memory = new LinkedHashMap<>();
        memory.put("binary", buffers);
        memory.put("code", other.getUsed());
        memory.put("other_proc", heap.getUsed());
        memory.put("allocated_unused", Math.max(0, heap.getCommitted() - heap.getUsed()));
        memory.put("other_system", Math.max(0, resident - heap.getCommitted() - other.getCommitted() - buffers));
        memory.put("strategy", "rss");
        memory.put(
                "total",
                Map.of("rss", resident, "erlang", used, "allocated", heap.getCommitted() + other.getCommitted()));
        return memory;
    }

    /** The lines {@code name: number …} of a file of the system. */
    private static Map<String, Long> numbers(Path file) {
        Map<String, Long> numbers = new HashMap<>();
        try {
            for (String line : Files.readAllLines(file)) {
                int colon = line.indexOf(':');
                String[] words = colon < 0
                        ? new String[0]
                        : line.substring(colon + 1).strip().split("\\s+");
                if (words.length > 0 && words[0].matches("[0-9]{1,18}")) {
                    numbers.put(line.substring(0, colon), Long.parseLong(words[0]));
                }
            }
        } catch (IOException e) {
            // Not Linux, or not allowed: these figures are missing.
        }
        return numbers;
    }
}
