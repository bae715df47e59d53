package io.leveret.model.definition;

import java.util.Set;

/** The keys that a policy may have. */
public final class PolicyKeys {
    public static final String HA_MODE = "ha-mode";
    public static final String HA_PARAMS = "ha-params";
    public static final String HA_SYNC_MODE = "ha-sync-mode";
    public static final String HA_SYNC_BATCH_SIZE = "ha-sync-batch-size";
    public static final String HA_PROMOTE_ON_SHUTDOWN = "ha-promote-on-shutdown";
    public static final String HA_PROMOTE_ON_FAILURE = "ha-promote-on-failure";
    /** Publishes are refused while fewer replicas are in sync. */
    public static final String HA_MIN_IN_SYNC = "ha-min-in-sync";
    /** False: {@code exactly} makes no new mirror elsewhere when one of its nodes goes down. */
    public static final String HA_REPLACE_LOST = "ha-replace-lost";

    public static final String MESSAGE_TTL = "message-ttl";
    public static final String EXPIRES = "expires";
    public static final String MAX_LENGTH = "max-length";
    public static final String MAX_LENGTH_BYTES = "max-length-bytes";
    public static final String MAX_IN_MEMORY_LENGTH = "max-in-memory-length";
    public static final String MAX_IN_MEMORY_BYTES = "max-in-memory-bytes";
    public static final String DELIVERY_LIMIT = "delivery-limit";
    public static final String OVERFLOW = "overflow";
    public static final String QUEUE_MODE = "queue-mode";
    public static final String QUEUE_VERSION = "queue-version";
    public static final String QUEUE_LEADER_LOCATOR = "queue-leader-locator";
    public static final String QUEUE_MASTER_LOCATOR = "queue-master-locator";
    public static final String ALTERNATE_EXCHANGE = "alternate-exchange";
    public static final String DEAD_LETTER_EXCHANGE = "dead-letter-exchange";
    public static final String DEAD_LETTER_ROUTING_KEY = "dead-letter-routing-key";
    /** At-least-once: a message stays in its queue until its dead-letter queues have it. */
    public static final String DEAD_LETTER_STRATEGY = "dead-letter-strategy";

    public static final String MAX_AGE = "max-age";
    public static final String STREAM_MAX_SEGMENT_SIZE_BYTES = "stream-max-segment-size-bytes";
    public static final String INITIAL_CLUSTER_SIZE = "initial-cluster-size";
    public static final String TARGET_GROUP_SIZE = "target-group-size";
    public static final String FEDERATION_UPSTREAM = "federation-upstream";
    public static final String FEDERATION_UPSTREAM_SET = "federation-upstream-set";
    public static final String FEDERATION_UPSTREAM_PATTERN = "federation-upstream-pattern";

    /** The only ones that an operator policy may have. */
    public static final Set<String> OPERATOR = Set.of(
            EXPIRES,
            MESSAGE_TTL,
            MAX_LENGTH,
            MAX_LENGTH_BYTES,
            MAX_IN_MEMORY_LENGTH,
            MAX_IN_MEMORY_BYTES,
            DELIVERY_LIMIT);

    /** A policy with one of these does not match a queue of ours at all: they are for other kinds of queues. */
    public static final Set<String> NOT_FOR_CLASSIC_QUEUES = Set.of(
            MAX_AGE,
            STREAM_MAX_SEGMENT_SIZE_BYTES,
            QUEUE_LEADER_LOCATOR,
            INITIAL_CLUSTER_SIZE,
            DELIVERY_LIMIT,
            MAX_IN_MEMORY_LENGTH,
            MAX_IN_MEMORY_BYTES,
            TARGET_GROUP_SIZE);

    private PolicyKeys() {}
}
