package io.leveret.admin.overview;

import io.leveret.admin.web.Words;
import io.leveret.model.view.CounterSet;
import io.leveret.model.view.NodeFigures;
import io.leveret.model.view.NodeView;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What the page of one node shows besides its row. Empty lists for a node that is down. */
public record NodeDetail(NodeView node) {
    /** What the keys of the memory breakdown mean here. */
    private static final Map<String, String> MEMORY = Map.of(
            "other_proc", "Heap in use",
            "allocated_unused", "Heap kept for later",
            "binary", "Buffers outside the heap",
            "code", "Code and classes",
            "other_system", "The rest of the process");

    private static final Map<String, String> COUNTERS = Map.ofEntries(
            Map.entry("connection_created", "Connections opened"),
            Map.entry("connection_closed", "Connections closed"),
            Map.entry("channel_created", "Channels opened"),
            Map.entry("channel_closed", "Channels closed"),
            Map.entry("queue_declared", "Queues declared by its clients"),
            Map.entry("queue_created", "Queues made here"),
            Map.entry("queue_deleted", "Queues deleted here"),
            Map.entry("gc_num", "Garbage collections"),
            Map.entry("io_read_count", "Reads"),
            Map.entry("io_write_count", "Writes"),
            Map.entry("io_read_bytes", "Bytes read from disk"),
            Map.entry("io_write_bytes", "Bytes written to disk"));

    /** A counter since the start of the node. */
    public record Counter(String name, String total, String perSecond) {}

    /** A part of the memory. */
    public record Part(String name, long bytes, String size) {}

    public List<Counter> counters() {
        CounterSet counters = node.counters();
        List<Counter> list = new ArrayList<>();
        if (counters != null) {
            counters.counts()
                    .forEach((name, count) -> list.add(new Counter(
                            COUNTERS.getOrDefault(name, name),
                            name.endsWith("_bytes") ? Words.bytes(count.total()) : Words.number(count.total()),
                            name.endsWith("_bytes")
                                    ? Words.bytes(Math.round(count.perSecond()))
                                    : Words.rate(count.perSecond()))));
            list.sort(Comparator.comparing(Counter::name));
        }
        return list;
    }

    /** The largest first. */
    public List<Part> memory() {
        Map<String, Object> memory = node.memory();
        List<Part> parts = new ArrayList<>();
        if (memory != null) {
            memory.forEach((name, bytes) -> {
                if (bytes instanceof Number number) {
                    parts.add(new Part(MEMORY.getOrDefault(name, name), number.longValue(), Words.bytes(number)));
                }
            });
            parts.sort(Comparator.comparingLong(Part::bytes).reversed());
        }
        return parts;
    }

    public long memoryMax() {
        return memory().stream().mapToLong(Part::bytes).max().orElse(1);
    }

    /** How and where it runs. */
    public Map<String, String> facts() {
        NodeFigures figures = node.figures();
        Map<String, String> facts = new LinkedHashMap<>();
        if (figures != null) {
            facts.put("Process", figures.processId() == null ? Words.UNKNOWN : figures.processId());
            facts.put("Processors", Words.number(figures.processors()));
            facts.put("Threads", Words.number(figures.threadsUsed()));
            facts.put("Sockets", Words.number(figures.socketsUsed()));
            facts.put("Disk alarm below", Words.bytes(figures.diskFreeLimit()));
            facts.put(
                    "Silent for",
                    figures.netTicktime() == null ? Words.UNKNOWN : figures.netTicktime() + " s counts as down");
            facts.put("Data folder", figures.dataFolder() == null ? Words.UNKNOWN : figures.dataFolder());
        }
        facts.put("Metadata", node.isRaftLeader() ? "leads the group that agrees on it" : "follows");
        return facts;
    }
}
