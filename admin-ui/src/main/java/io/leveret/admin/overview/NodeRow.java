package io.leveret.admin.overview;

import io.leveret.admin.web.Pill;
import io.leveret.admin.web.Words;
import io.leveret.model.view.NodeFigures;
import io.leveret.model.view.NodeView;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A node in the list. */
public record NodeRow(NodeView node) {
    /** From this share of the limit on a meter warns. */
    private static final double NEAR_LIMIT = 0.8;

    public String name() {
        return node.name();
    }

    public String up() {
        NodeFigures figures = node.figures();
        Long uptime = figures == null ? null : figures.uptime();
        return uptime == null || !node.isRunning() ? "" : "up " + Words.duration(Duration.ofMillis(uptime));
    }

    public Pill state() {
        NodeFigures figures = node.figures();
        if (!node.isRunning()) {
            return Pill.of("bad", "down");
        }
        if (node.isPaused()) {
            return Pill.of("bad", "paused, no majority");
        }
        if (figures != null && Boolean.TRUE.equals(figures.isMemoryAlarm())) {
            return Pill.of("bad", "memory alarm");
        }
        if (figures != null && Boolean.TRUE.equals(figures.isDiskAlarm())) {
            return Pill.of("bad", "disk alarm");
        }
        return Pill.of("ok", "witness".equals(node.role()) ? "running, witness" : "running");
    }

    public boolean hasMemory() {
        return node.isRunning() && memoryLimit() != null && memoryUsed() != null;
    }

    public String memory() {
        return hasMemory() ? Words.bytes(memoryUsed()) + " of " + Words.bytes(memoryLimit()) : Words.UNKNOWN;
    }

    public @Nullable Long memoryUsed() {
        NodeFigures figures = node.figures();
        return figures == null ? null : figures.memoryUsed();
    }

    public @Nullable Long memoryLimit() {
        NodeFigures figures = node.figures();
        return figures == null ? null : figures.memoryLimit();
    }

    public @Nullable Long memoryNear() {
        Long limit = memoryLimit();
        return limit == null ? null : Long.valueOf((long) (limit * NEAR_LIMIT));
    }

    public String disk() {
        NodeFigures figures = node.figures();
        return Words.bytes(figures == null ? null : figures.diskFree());
    }

    public String files() {
        NodeFigures figures = node.figures();
        if (figures == null || figures.filesUsed() == null) {
            return Words.UNKNOWN;
        }
        return Words.number(figures.filesUsed())
                + (figures.filesTotal() == null ? "" : " of " + Words.number(figures.filesTotal()));
    }

    public String leaders() {
        return node.isRunning() ? Words.number(node.leaders()) : Words.UNKNOWN;
    }

    public String mirrors() {
        return node.isRunning() ? Words.number(node.mirrors()) : Words.UNKNOWN;
    }

    public String version() {
        String version = node.version();
        return version == null ? "" : version;
    }
}
