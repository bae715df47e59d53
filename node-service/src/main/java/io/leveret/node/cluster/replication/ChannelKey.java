package io.leveret.node.cluster.replication;

import io.leveret.node.broker.message.Origin;

/** A publishing channel, as it appears in the origins of its messages. */
public record ChannelKey(int node, long boot, long channel) {
    static ChannelKey of(Origin origin) {
        return new ChannelKey(origin.node(), origin.boot(), origin.channel());
    }
}
