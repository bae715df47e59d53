package io.leveret.node;

import io.leveret.model.NodeName;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Which alarms are on, on which node. Pure. */
final class AlarmBoard {
    static final int MEMORY = 1;
    static final int DISK = 2;

    private final Map<NodeName, Integer> byNode = new HashMap<>();

    /** One alarm of a node is on, or over. */
    void change(NodeName node, int alarm, boolean isOn) {
        int before = of(node);
        set(node, isOn ? before | alarm : before & ~alarm);
    }

    /** All alarms of a node, as it told them. */
    void set(NodeName node, int alarms) {
        if (alarms == 0) {
            byNode.remove(node);
        } else {
            byNode.put(node, alarms);
        }
    }

    /** The node is gone, and its alarms with it. */
    void forget(NodeName node) {
        byNode.remove(node);
    }

    /** The alarms of a node, as bits. */
    int of(NodeName node) {
        return byNode.getOrDefault(node, 0);
    }

    /** Why publishers are blocked, in the words that clients know; null when they are not. */
    @Nullable
    String reason() {
        int all = byNode.values().stream().reduce(0, (a, b) -> a | b);
        return switch (all) {
            case 0 -> null;
            case MEMORY -> "low on memory";
            case DISK -> "low on disk";
            default -> "low on disk & memory";
        };
    }
}
