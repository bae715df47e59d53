package io.leveret.node.amqp.server;

import io.leveret.node.broker.auth.Authenticator;
import io.leveret.node.broker.auth.Permissions;
import io.leveret.node.broker.vhost.VirtualHosts;
import io.leveret.node.runtime.EventLoops;
import io.leveret.node.runtime.FaultHandler;
import io.leveret.node.runtime.NodeClock;

/** The AMQP listener of a node. */
public final class AmqpServer implements AutoCloseable {
    public AmqpServer(
            AmqpServerConfig config, Services services, EventLoops loops, NodeClock clock, FaultHandler faults) {
        throw new UnsupportedOperationException();
    }

    /** What connections work with. */
    public record Services(VirtualHosts vhosts, Authenticator authenticator, Permissions permissions) {}

    /** The connections of this server. */
    public ConnectionRegistry connections() {
        throw new UnsupportedOperationException();
    }

    /** Listens. Blocks until it does; not for event loops. @return the port */
    public int start() {
        throw new UnsupportedOperationException();
    }

    /** Stops listening; connections stay ({@link ConnectionRegistry#closeAll}). */
    @Override
    public void close() {
        throw new UnsupportedOperationException();
    }
}
