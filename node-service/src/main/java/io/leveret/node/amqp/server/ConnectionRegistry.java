package io.leveret.node.amqp.server;

import io.leveret.model.UserName;
import io.leveret.model.VhostName;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * The client connections of this node, for those who list or close them and for those who stop the node's clients. Any
 * thread. Figures are read on each connection's own loop.
 */
public final class ConnectionRegistry {
    /** Every open connection (those still shaking hands are not listed). */
    public CompletionStage<List<ConnectionStatistics>> connections() {
        throw new UnsupportedOperationException();
    }

    /** Every channel of every connection. */
    public CompletionStage<List<ChannelStatistics>> channels() {
        throw new UnsupportedOperationException();
    }

    /** Closes one connection with 320. @return false when there is none of that name */
    public boolean closeConnection(String name, String reason) {
        throw new UnsupportedOperationException();
    }

    /** Closes the connections to a vhost with 320. */
    public void closeVhost(VhostName vhost, String reason) {
        throw new UnsupportedOperationException();
    }

    /** Closes the connections of a user with 320. */
    public void closeUser(UserName user, String reason) {
        throw new UnsupportedOperationException();
    }

    /** Closes every connection with 320. The stage completes when all are gone. */
    public CompletionStage<Void> closeAll(String reason) {
        throw new UnsupportedOperationException();
    }

    /** New connections are told the reason (320) instead of being opened, until {@link #accept}. */
    public void refuseNew(String reason) {
        throw new UnsupportedOperationException();
    }

    /** New connections are welcome again. */
    public void accept() {
        throw new UnsupportedOperationException();
    }

    /** A resource is low: connections that publish are no longer read, and are told why if they understand. */
    public void block(String reason) {
        throw new UnsupportedOperationException();
    }

    /** The last alarm is over. */
    public void unblock() {
        throw new UnsupportedOperationException();
    }
}
