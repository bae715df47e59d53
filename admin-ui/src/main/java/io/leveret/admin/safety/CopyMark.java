package io.leveret.admin.safety;

import io.leveret.model.view.ReplicaView;
import java.time.Clock;
import java.time.Duration;
import java.util.Locale;
import java.util.Objects;

/**
 * A copy of a queue as a mark: colour, words, and the whole in its title.
 *
 * @param kind the class of the sheet
 * @param words its state without the node's name: "in sync", "syncing 42 %", "lagging 1,204", "down 12 min"
 */
public record CopyMark(ReplicaView replica, String kind, String words) {

    public static CopyMark of(ReplicaView replica, Clock clock) {
        return switch (replica.state()) {
            case ReplicaView.State.LEADER -> new CopyMark(replica, "leader", "leader");
            case ReplicaView.State.IN_SYNC -> new CopyMark(replica, "ok", "in sync");
            case ReplicaView.State.SYNCING -> new CopyMark(replica, "busy", "syncing" + percent(replica, " "));
            case ReplicaView.State.PAUSED -> new CopyMark(replica, "busy", "paused" + percent(replica, " at "));
            case ReplicaView.State.LAGGING -> new CopyMark(replica, "warn", "lagging" + behind(replica));
            case ReplicaView.State.NOT_SYNCHRONISED -> new CopyMark(replica, "warn", "not synchronised");
            case ReplicaView.State.DOWN -> new CopyMark(replica, "bad", "down" + since(replica, clock));
            case ReplicaView.State.BROKEN -> new CopyMark(replica, "bad", "broken");
            default -> new CopyMark(replica, "", replica.state());
        };
    }

    public String node() {
        return replica.node();
    }

    public String shortNode() {
        int at = replica.node().indexOf('@');
        return at > 0 ? replica.node().substring(0, at) : replica.node();
    }

    /** A mirror in sync shows its node alone, the others say more. */
    public String shortWords() {
        return replica.state().equals(ReplicaView.State.IN_SYNC)
                        || replica.state().equals(ReplicaView.State.LEADER)
                ? ""
                : " " + words;
    }

    public String title() {
        String reason = replica.reason();
        return replica.node() + ": " + words + (reason == null ? "" : ", " + reason);
    }

    private static String percent(ReplicaView replica, String before) {
        ReplicaView.SyncView sync = replica.sync();
        return sync == null || sync.messagesTotal() == 0
                ? ""
                : before + sync.messagesDone() * 100 / sync.messagesTotal() + " %";
    }

    private static String behind(ReplicaView replica) {
        return replica.behind() == null ? "" : String.format(Locale.ROOT, " %,d", replica.behind());
    }

    private static String since(ReplicaView replica, Clock clock) {
        Long since = replica.downSince();
        if (since == null) {
            return "";
        }
        Duration down = Duration.ofMillis(Math.max(0, clock.millis() - Objects.requireNonNull(since)));
        if (down.toMinutes() < 1) {
            return " " + down.toSeconds() + " s";
        }
        return down.toHours() < 1 ? " " + down.toMinutes() + " min" : " " + down.toHours() + " h";
    }
}
