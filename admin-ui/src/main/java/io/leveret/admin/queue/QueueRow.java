package io.leveret.admin.queue;

import io.leveret.admin.safety.CopyMark;
import io.leveret.admin.safety.QueueSafety;
import io.leveret.admin.web.Paths;
import io.leveret.admin.web.Pill;
import io.leveret.admin.web.Words;
import io.leveret.model.view.MessageStats;
import io.leveret.model.view.QueueFigures;
import io.leveret.model.view.QueueView;
import io.leveret.model.view.ReplicaView;
import io.leveret.model.view.ReplicationView;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A queue in the list, and the head of its own page. */
public record QueueRow(QueueSafety safety, Clock clock) {
    /** A feature, abbreviated; the title says it in full. */
    public record Feature(String text, String title) {}

    /** A figure as a cell: zero is muted, unknown a dash. */
    public record Figure(String text, String css) {
        static Figure of(@Nullable Long value) {
            return new Figure(Words.number(value), Objects.equals(value, 0L) ? "num zero" : "num");
        }

        static Figure rate(@Nullable MessageStats stats, MessageStats.Counter counter) {
            double rate = stats == null ? 0 : stats.perSecond(counter);
            return new Figure(Words.rate(rate), rate == 0 ? "num zero" : "num");
        }
    }

    private static final Map<String, Feature> BY_KEY = Map.of(
            "message-ttl", new Feature("TTL", "message time to live"),
            "expires", new Feature("Exp", "deleted when unused"),
            "max-length", new Feature("Lim", "length limit"),
            "max-length-bytes", new Feature("LimB", "length limit in bytes"),
            "dead-letter-exchange", new Feature("DLX", "dead-letter exchange"),
            "max-priority", new Feature("Pri", "priorities"),
            "single-active-consumer", new Feature("SAC", "single active consumer"));

    public QueueView queue() {
        return safety.queue();
    }

    public String name() {
        return queue().name();
    }

    public String vhost() {
        return queue().vhost();
    }

    public String link() {
        return Paths.queue(queue().vhost(), queue().name());
    }

    /** The policy that applies, in its form; empty when none does. */
    public String policyLink() {
        String policy = queue().policy();
        return policy == null ? "" : Paths.editPolicy("policies", queue().vhost(), policy);
    }

    public String rowClass() {
        return switch (safety.verdict()) {
            case SAFE -> "";
            case AT_RISK -> "risk";
            case ONE_COPY, DOWN -> "lost";
        };
    }

    public List<Feature> features() {
        List<Feature> features = new ArrayList<>();
        if (queue().isDurable()) {
            features.add(new Feature("D", "durable"));
        }
        if (queue().isAutoDelete()) {
            features.add(new Feature("AD", "auto-delete"));
        }
        if (queue().isExclusive()) {
            features.add(new Feature("Excl", "exclusive: dies with its connection, never mirrored"));
        }
        Map<String, Object> policy = Objects.requireNonNullElse(queue().effectivePolicy(), Map.of());
        if ("lazy".equals(policy.get("queue-mode"))
                || "lazy".equals(queue().arguments().get("x-queue-mode"))) {
            features.add(new Feature("lazy", "bodies kept on disk"));
        }
        BY_KEY.keySet().stream().sorted().forEach(key -> {
            Feature feature = BY_KEY.get(key);
            if (feature != null
                    && (policy.containsKey(key) || queue().arguments().containsKey("x-" + key))) {
                features.add(feature);
            }
        });
        return features;
    }

    public @Nullable CopyMark leader() {
        ReplicaView leader = safety.leader();
        return leader == null ? null : CopyMark.of(leader, clock);
    }

    public List<CopyMark> mirrors() {
        return safety.mirrors().stream()
                .map(mirror -> CopyMark.of(mirror, clock))
                .toList();
    }

    public List<CopyMark> copies() {
        return safety.replicas().stream()
                .map(replica -> CopyMark.of(replica, clock))
                .toList();
    }

    public Pill verdict() {
        return switch (safety.verdict()) {
            case SAFE -> Pill.of("ok", "Safe");
            case AT_RISK -> Pill.of("warn", "At risk");
            case ONE_COPY -> Pill.of("bad", "One copy");
            case DOWN -> Pill.of("bad", "Down");
        };
    }

    /** What the verdict means for this queue: "1,204 lost with rabbit2". */
    public String verdictNote() {
        ReplicaView leader = safety.leader();
        if (leader == null) {
            return "no leader";
        }
        String node = Words.shortNode(leader.node());
        return switch (safety.effectOfLosing(leader.node())) {
            case LOSES_MESSAGES ->
                safety.messagesAtRisk() == null
                        ? "unsynced messages lost with " + node
                        : Words.number(safety.messagesAtRisk()) + " lost with " + node;
            case AWAY ->
                safety.verdict() == QueueSafety.Verdict.DOWN
                        ? "unavailable until " + node + " is back"
                        : "away with " + node;
            case GONE -> "lost with " + node;
            case FAILS_OVER, NOTHING -> "";
        };
    }

    /** One sentence on what the queue survives. */
    public String sentence() {
        ReplicaView leader = safety.leader();
        String node = leader == null ? "" : Words.shortNode(leader.node());
        return switch (safety.verdict()) {
            case SAFE ->
                "No confirmed message is lost and the queue stays available when any one node is lost: "
                        + safety.inSync() + " of " + safety.replicas().size() + " copies are in sync.";
            case AT_RISK ->
                safety.effectOfLosing(leader == null ? "" : leader.node()) == QueueSafety.Effect.LOSES_MESSAGES
                        ? "If " + node + " is lost, a mirror leads on without the messages that it lacks: "
                                + verdictNote() + "."
                        : "If " + node + " is lost, the queue is unavailable until it is back: no mirror is in sync.";
            case ONE_COPY -> "There is one copy: " + verdictNote() + ".";
            case DOWN -> "No node leads it: publishes are refused and nothing is delivered, " + verdictNote() + ".";
        };
    }

    /** Messages that the last unclean promotion left behind. */
    public long abandoned() {
        ReplicationView replication = queue().replication();
        return replication == null ? 0 : replication.abandoned();
    }

    public Pill state() {
        String state = queue().state();
        if (safety.verdict() == QueueSafety.Verdict.DOWN) {
            return Pill.of("bad", "down");
        }
        if (safety.isSyncing()) {
            return Pill.of("busy", "syncing");
        }
        return Pill.of("flow".equals(state) ? "warn" : "", state == null ? Words.UNKNOWN : state);
    }

    public Figure ready() {
        QueueFigures figures = queue().figures();
        return Figure.of(figures == null ? null : figures.ready());
    }

    public Figure unacked() {
        QueueFigures figures = queue().figures();
        return Figure.of(figures == null ? null : figures.unacked());
    }

    public Figure total() {
        QueueFigures figures = queue().figures();
        return Figure.of(figures == null ? null : figures.messages());
    }

    public Figure incoming() {
        return Figure.rate(queue().messageStats(), MessageStats.Counter.PUBLISH);
    }

    public Figure delivered() {
        return Figure.rate(queue().messageStats(), MessageStats.Counter.DELIVER_GET);
    }

    public Figure acked() {
        return Figure.rate(queue().messageStats(), MessageStats.Counter.ACK);
    }

    public String consumers() {
        QueueFigures figures = queue().figures();
        return Words.number(figures == null ? null : figures.consumers());
    }

    public String memory() {
        QueueFigures figures = queue().figures();
        return Words.bytes(figures == null ? null : figures.memory());
    }

    public String bytes() {
        QueueFigures figures = queue().figures();
        return Words.bytes(figures == null ? null : figures.bytes());
    }

    long sortReady() {
        QueueFigures figures = queue().figures();
        return figures == null || figures.ready() == null ? -1 : figures.ready();
    }

    long sortUnacked() {
        QueueFigures figures = queue().figures();
        return figures == null || figures.unacked() == null ? -1 : figures.unacked();
    }

    double sortRate(MessageStats.Counter counter) {
        MessageStats stats = queue().messageStats();
        return stats == null ? -1 : stats.perSecond(counter);
    }
}
