package io.leveret.admin.cluster;

/**
 * The one way to change anything in the cluster.
 *
 * <p>{@link BrokerRefusedException}: a node said no and nothing was changed. {@link BrokerUnavailableException}: no node
 * took it and nothing was changed. {@link UnknownOutcomeException}: it was sent and the answer is missing; it is never sent
 * again by itself.
 */
public interface BrokerCommands {
    /** Carries out a mutation and gives the node's answer. */
    CommandAnswer apply(Mutation mutation);
}
