package io.leveret.node.cluster.membership;

import io.leveret.model.NodeName;
import java.util.Map;
import java.util.UUID;

/**
 * A node process as it presents itself to the others.
 *
 * @param storeId the name of its data directory
 * @param boot its boot when it started
 * @param tickSeconds its net_ticktime
 * @param addresses what it can be reached at: a purpose ("link", "control", "amqp", …), then host and port
 */
public record Member(
        NodeName node, UUID storeId, long boot, String version, int tickSeconds, Map<String, String> addresses) {}
