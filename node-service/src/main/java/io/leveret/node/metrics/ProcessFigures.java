package io.leveret.node.metrics;

import com.sun.management.UnixOperatingSystemMXBean;
import io.leveret.model.view.NamedFeature;
import io.leveret.model.view.NodeFigures;
import io.leveret.node.runtime.NodeClock;
import java.lang.management.ManagementFactory;
import java.util.List;
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
                rates.rate(facts.node(), "mem_used", memory),
                facts.memoryLimitBytes().getAsLong(),
                facts.isMemoryLow().getAsBoolean(),
                free,
                rates.rate(facts.node(), "disk_free", free),
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
}
