package io.leveret.node.cluster.replication;

import io.leveret.model.definition.QueueDefinition;
import io.leveret.node.broker.definitions.EffectivePolicy;
import io.leveret.node.broker.definitions.MirroringPolicy;
import io.leveret.node.broker.queue.QueueSettings;
import org.jspecify.annotations.Nullable;

/** What a queue's arguments and its policy come to, for those who serve it. */
record QueuePolicy(QueueSettings queue, LeaderSettings replication, boolean isLazy) {
    static QueuePolicy of(QueueDefinition definition, EffectivePolicy policy, ReplicationSettings settings) {
        return new QueuePolicy(
                QueueSettings.of(definition.arguments(), policy.definition()),
                leaderSettings(policy.mirroring(), settings),
                isLazy(definition, policy));
    }

    private static boolean isLazy(QueueDefinition definition, EffectivePolicy policy) {
        Object own = definition.arguments().get("x-queue-mode");
        return "lazy".equals(own instanceof String text ? text : policy.text("queue-mode"));
    }

    private static LeaderSettings leaderSettings(@Nullable MirroringPolicy mirroring, ReplicationSettings settings) {
        LeaderSettings otherwise = LeaderSettings.DEFAULT;
        if (mirroring == null) {
            return new LeaderSettings(
                    1,
                    true,
                    otherwise.syncBatchMessages(),
                    otherwise.syncBatchBytes(),
                    settings.mirrorDeadlineNanos(),
                    otherwise.tailEventsMax(),
                    otherwise.tailBytesMax());
        }
        return new LeaderSettings(
                mirroring.minInSync(),
                mirroring.isSyncAutomatic(),
                mirroring.syncBatchSize() > 0 ? mirroring.syncBatchSize() : otherwise.syncBatchMessages(),
                otherwise.syncBatchBytes(),
                settings.mirrorDeadlineNanos(),
                otherwise.tailEventsMax(),
                otherwise.tailBytesMax());
    }
}
