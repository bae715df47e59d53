package io.leveret.node.broker.definitions;

import io.leveret.model.NodeName;

/**
 * The connection that an exclusive queue belongs to.
 *
 * @param boot the boot of the connection's node
 * @param connection a number never used twice within that boot
 */
public record QueueOwner(NodeName node, long boot, long connection) {
    /** An owner from its text, {@code <node name>/<boot>/<number>}. */
    public static QueueOwner parse(String text) {
        int last = text.lastIndexOf('/');
        int middle = text.lastIndexOf('/', last - 1);
        if (middle < 0) {
            throw new IllegalArgumentException("not the id of a connection: " + text);
        }
        return new QueueOwner(
                new NodeName(text.substring(0, middle)),
                Long.parseLong(text.substring(middle + 1, last)),
                Long.parseLong(text.substring(last + 1)));
    }

    @Override
    public String toString() {
        return node + "/" + boot + "/" + connection;
    }
}
