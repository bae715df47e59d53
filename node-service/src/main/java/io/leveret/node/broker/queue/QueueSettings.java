package io.leveret.node.broker.queue;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What arguments and policy say about a queue, as its leader needs it.
 *
 * @param lengthMax ready messages, or {@link #UNLIMITED}
 * @param lengthBytesMax bytes of their bodies, or {@link #UNLIMITED}
 * @param isSingleActive one consumer at a time gets deliveries: the one that came first
 * @param priorityMax priorities above count as this; 0: messages have none
 * @param messageTtlMillis how long a message may wait, or {@link #UNLIMITED}
 * @param expiresMillis how long the queue may be unused, or {@link #UNLIMITED}
 * @param isDeadLettering whether there is a dead-letter exchange
 * @param isAtLeastOnce whether a message leaves for it only when its targets have it
 */
public record QueueSettings(
        long lengthMax,
        long lengthBytesMax,
        Overflow overflow,
        boolean isSingleActive,
        int priorityMax,
        long messageTtlMillis,
        long expiresMillis,
        boolean isDeadLettering,
        boolean isAtLeastOnce) {
    /** No limit. */
    public static final long UNLIMITED = Long.MAX_VALUE;
    /** A queue without arguments and policy. */
    public static final QueueSettings NONE = of(Map.of(), Map.of());

    /** The highest priority there is. */
    public static final int PRIORITY_MAX = 255;

    /** What gives way when a queue is full. */
    public enum Overflow {
        DROP_HEAD,
        REJECT_PUBLISH,
        /** Reject, and dead-letter what was rejected. */
        REJECT_PUBLISH_DLX
    }

    /**
     * Of a queue's arguments (x-…) and the merged definition of its policies. Of two limits the lower counts; else the
     * argument does. All values were validated when they were declared.
     */
    public static QueueSettings of(Map<String, Object> arguments, Map<String, Object> policy) {
        boolean isDeadLettering =
                arguments.containsKey("x-dead-letter-exchange") || policy.containsKey("dead-letter-exchange");
        Object strategy = arguments.getOrDefault("x-dead-letter-strategy", policy.get("dead-letter-strategy"));
        Object overflow = arguments.getOrDefault("x-overflow", policy.get("overflow"));
        return new QueueSettings(
                lower(arguments.get("x-max-length"), policy.get("max-length")),
                lower(arguments.get("x-max-length-bytes"), policy.get("max-length-bytes")),
                overflowOf(overflow),
                Boolean.TRUE.equals(arguments.get("x-single-active-consumer")),
                (int) Math.min(PRIORITY_MAX, number(arguments.get("x-max-priority"), 0)),
                lower(arguments.get("x-message-ttl"), policy.get("message-ttl")),
                lower(arguments.get("x-expires"), policy.get("expires")),
                isDeadLettering,
                isDeadLettering && "at-least-once".equals(strategy));
    }

    private static Overflow overflowOf(@Nullable Object word) {
        if ("reject-publish".equals(word)) {
            return Overflow.REJECT_PUBLISH;
        }
        return "reject-publish-dlx".equals(word) ? Overflow.REJECT_PUBLISH_DLX : Overflow.DROP_HEAD;
    }

    private static long lower(@Nullable Object one, @Nullable Object other) {
        return Math.min(number(one, UNLIMITED), number(other, UNLIMITED));
    }

    private static long number(@Nullable Object value, long otherwise) {
        return value instanceof Number ? ((Number) value).longValue() : otherwise;
    }

    boolean allows(long messages, long bytes) {
        return messages <= lengthMax && bytes <= lengthBytesMax;
    }
}
