package io.leveret.admin.web;

import io.leveret.model.view.NodeFigures;
import io.leveret.model.view.NodeView;
import java.util.ArrayList;
import java.util.List;

/** What stops publishers or a whole node: the titles stand on every page, with what they mean where there is room. */
public final class Alarms {
    private Alarms() {}

    /** A banner: a line in bold, and what it means. */
    public record Banner(String title, String text) {}

    /** In the order of the nodes. */
    public static List<Banner> of(List<NodeView> nodes) {
        List<Banner> banners = new ArrayList<>();
        for (NodeView node : nodes) {
            String name = Words.shortNode(node.name());
            NodeFigures figures = node.figures();
            if (node.isRunning() && node.isPaused()) {
                banners.add(new Banner(
                        name + " has no majority and is paused",
                        "It closed its client connections and confirms nothing until the other nodes are back. If they are gone "
                                + "for good, an operator can revive it: leveretctl -n " + node.name()
                                + " force_boot."));
            }
            if (figures == null) {
                continue;
            }
            if (Boolean.TRUE.equals(figures.isMemoryAlarm())) {
                banners.add(new Banner(
                        "Memory alarm on " + name + ": publishers are blocked",
                        Words.bytes(figures.memoryUsed()) + " used, limit " + Words.bytes(figures.memoryLimit())
                                + ". Consumers go on. It clears by itself below the limit."));
            }
            if (Boolean.TRUE.equals(figures.isDiskAlarm())) {
                banners.add(new Banner(
                        "Disk alarm on " + name + ": publishers are blocked",
                        Words.bytes(figures.diskFree()) + " free, at least " + Words.bytes(figures.diskFreeLimit())
                                + " wanted. Consumers go on. It clears by itself when there is room."));
            }
        }
        return banners;
    }
}
