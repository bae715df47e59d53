package io.leveret.node.cluster.metadata;

import io.leveret.model.NodeName;
import java.util.UUID;

/**
 * Names one proposal, so that a command that enters the log twice takes effect once. The client is a process: node, data
 * directory and boot.
 *
 * @param number 1, 2, 3 … within the client
 * @param floor every lower number of this client was answered; its results may be forgotten
 */
public record OpId(NodeName node, UUID storeId, long boot, long number, long floor) {}
