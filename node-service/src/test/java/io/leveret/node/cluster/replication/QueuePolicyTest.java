package io.leveret.node.cluster.replication;

import static org.assertj.core.api.Assertions.assertThat;

import io.leveret.model.QueueName;
import io.leveret.model.VhostName;
import io.leveret.model.definition.ApplyTo;
import io.leveret.model.definition.PolicyDefinition;
import io.leveret.model.definition.QueueDefinition;
import io.leveret.node.broker.definitions.EffectivePolicy;
import io.leveret.node.broker.queue.QueueSettings;
import io.leveret.node.broker.queue.QueueSettings.Overflow;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class QueuePolicyTest {
    private static final ReplicationSettings SETTINGS = ReplicationSettings.standard();
    private static final Map<String, Object> ALL = Map.of(
            "expires",
            7_000,
            "message-ttl",
            5_000,
            "max-length",
            10,
            "max-length-bytes",
            1_000,
            "overflow",
            "reject-publish",
            "dead-letter-exchange",
            "dlx",
            "dead-letter-strategy",
            "at-least-once",
            "queue-mode",
            "lazy");

    private static QueuePolicy of(
            Map<String, Object> arguments,
            @Nullable Map<String, Object> policy,
            @Nullable Map<String, Object> operatorPolicy) {
        QueueDefinition queue = new QueueDefinition(QueueName.of("/", "q"), true, false, false, arguments);
        return QueuePolicy.of(queue, EffectivePolicy.merge(policy(policy), policy(operatorPolicy)), SETTINGS);
    }

    private static @Nullable PolicyDefinition policy(@Nullable Map<String, Object> definition) {
        return definition == null
                ? null
                : new PolicyDefinition(new VhostName("/"), "p", "", ApplyTo.QUEUES, 0, definition);
    }

    @Test
    void everyKeyOfAPolicyCountsAndWithoutItTheDefaultIsBack() {
        QueuePolicy policy = of(Map.of(), ALL, null);
        assertThat(policy.queue())
                .isEqualTo(new QueueSettings(10, 1_000, Overflow.REJECT_PUBLISH, false, 0, 5_000, 7_000, true, true));
        assertThat(policy.isLazy()).isTrue();
        QueuePolicy without = of(Map.of(), null, null);
        assertThat(without.queue()).isEqualTo(QueueSettings.NONE);
        assertThat(without.isLazy()).isFalse();
        assertThat(QueueSettings.NONE.overflow()).isEqualTo(Overflow.DROP_HEAD);
        assertThat(QueueSettings.NONE.expiresMillis()).isEqualTo(QueueSettings.UNLIMITED);
    }

    @Test
    void ofLimitsAndTimesTheSmallestOfArgumentPolicyAndOperatorPolicyCounts() {
        Map<String, Object> operator =
                Map.of("expires", 9_000, "message-ttl", 1_000, "max-length", 20, "max-length-bytes", 10);
        QueueSettings settings = of(
                        Map.of("x-expires", 8_000, "x-message-ttl", 3_000, "x-max-length", 4, "x-max-length-bytes", 50),
                        ALL,
                        operator)
                .queue();
        assertThat(settings.expiresMillis()).isEqualTo(7_000);
        assertThat(settings.messageTtlMillis()).isEqualTo(1_000);
        assertThat(settings.lengthMax()).isEqualTo(4);
        assertThat(settings.lengthBytesMax()).isEqualTo(10);
    }

    @Test
    void ofTheOthersTheArgumentCounts() {
        QueuePolicy policy = of(
                Map.of(
                        "x-overflow",
                        "drop-head",
                        "x-queue-mode",
                        "default",
                        "x-dead-letter-exchange",
                        "own",
                        "x-dead-letter-strategy",
                        "at-most-once"),
                ALL,
                null);
        assertThat(policy.queue().overflow()).isEqualTo(Overflow.DROP_HEAD);
        assertThat(policy.isLazy()).isFalse();
        assertThat(policy.queue().isAtLeastOnce()).isFalse();
    }

    @Test
    void prioritiesAndTheSingleActiveConsumerAreNoBusinessOfAPolicy() {
        QueueSettings settings = of(Map.of(), Map.of("max-priority", 5, "single-active-consumer", true), null)
                .queue();
        assertThat(settings.priorityMax()).isZero();
        assertThat(settings.isSingleActive()).isFalse();
    }
}
