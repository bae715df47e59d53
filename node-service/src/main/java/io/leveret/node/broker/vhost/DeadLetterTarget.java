package io.leveret.node.broker.vhost;

import io.leveret.model.ShortString;
import io.leveret.model.definition.PolicyKeys;
import io.leveret.model.definition.QueueDefinition;
import io.leveret.node.broker.definitions.EffectivePolicy;
import org.jspecify.annotations.Nullable;

/**
 * Where dead letters of a queue go: the queue's argument counts before its policy, for each of the three.
 *
 * @param routingKey in place of the message's own; null: that stays
 * @param isAtLeastOnce whether a message stays until a queue has taken it
 */
record DeadLetterTarget(String exchange, @Nullable String routingKey, boolean isAtLeastOnce) {
    /** Null without a dead-letter exchange. */
    static @Nullable DeadLetterTarget of(QueueDefinition queue, EffectivePolicy policy) {
        String exchange = text(queue, policy, PolicyKeys.DEAD_LETTER_EXCHANGE);
        return exchange == null
                ? null
                : new DeadLetterTarget(
                        exchange,
                        possible(text(queue, policy, PolicyKeys.DEAD_LETTER_ROUTING_KEY)),
                        "at-least-once".equals(text(queue, policy, PolicyKeys.DEAD_LETTER_STRATEGY)));
    }

    /** One that was let in and fits into no frame counts as none. */
    private static @Nullable String possible(@Nullable String key) {
        return key == null || ShortString.fits(key) ? key : null;
    }

    private static @Nullable String text(QueueDefinition queue, EffectivePolicy policy, String key) {
        return queue.arguments().get("x-" + key) instanceof String own ? own : policy.text(key);
    }
}
