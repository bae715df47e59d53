package io.leveret.admin.safety;

import io.leveret.model.view.ReplicaView;

/** The next step for a queue that is not safe, as one sentence. */
public final class Advice {
    private Advice() {}

    public static String of(QueueSafety safety) {
        if (safety.verdict() == QueueSafety.Verdict.DOWN) {
            ReplicaView leader = safety.leader();
            return "Down: unavailable until " + (leader == null ? "a node with a copy" : leader.node()) + " is back.";
        }
        if (safety.verdict() == QueueSafety.Verdict.SAFE) {
            return "Nothing to do.";
        }
        if (safety.queue().isExclusive()) {
            return "Exclusive: never mirrored, by design.";
        }
        if (safety.replicas().size() < 2) {
            String start = safety.queue().isDurable() ? "" : "Transient. ";
            return start
                    + (safety.queue().policy() == null
                            ? "No policy matches. Mirror it with a policy."
                            : "Policy " + safety.queue().policy() + " does not mirror it.");
        }
        for (ReplicaView mirror : safety.mirrors()) {
            String reason = mirror.reason();
            String node = mirror.node();
            switch (mirror.state()) {
                case ReplicaView.State.SYNCING:
                    return "Nothing to do: " + node + " is synchronising"
                            + (reason == null ? "." : "; " + reason + ".");
                case ReplicaView.State.PAUSED:
                    return "Synchronising " + node + " is paused" + (reason == null ? "." : ": " + reason + ".");
                case ReplicaView.State.LAGGING:
                    return node + " answers slowly" + (reason == null ? "." : ": " + reason + ".");
                case ReplicaView.State.NOT_SYNCHRONISED:
                    return "ha-sync-mode is manual: synchronise it.";
                case ReplicaView.State.BROKEN:
                    return "The copy on " + node + " cannot be opened" + (reason == null ? "." : ": " + reason + ".");
                case ReplicaView.State.DOWN:
                    return "Start " + node + "; only the difference is copied.";
                default:
                    break;
            }
        }
        return "Wait for a mirror to be in sync.";
    }
}
