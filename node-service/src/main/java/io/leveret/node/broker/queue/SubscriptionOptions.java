package io.leveret.node.broker.queue;

import java.util.Map;

/**
 * What basic.consume asks for.
 *
 * @param consumerId a text that names connection, channel and tag in listings
 * @param isNoAck deliveries count as settled when sent
 * @param prefetch unsettled deliveries allowed at a time; 0: no limit
 * @param isPassive makes no demand by itself: used for basic.get
 */
public record SubscriptionOptions(
        String consumerId,
        String consumerTag,
        boolean isNoAck,
        boolean isExclusive,
        int prefetch,
        boolean isPassive,
        Map<String, Object> arguments) {}
