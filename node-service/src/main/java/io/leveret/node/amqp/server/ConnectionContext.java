package io.leveret.node.amqp.server;

import io.leveret.model.ExchangeName;
import io.leveret.model.QueueName;
import io.leveret.node.amqp.wire.AmqpException;
import io.leveret.node.amqp.wire.ReplyCode;
import io.leveret.node.broker.auth.Login;
import io.leveret.node.broker.auth.Permission;
import io.leveret.node.broker.auth.Permissions;
import io.leveret.node.broker.vhost.ReplyRoutes;
import io.leveret.node.broker.vhost.VirtualHost;
import io.leveret.node.runtime.NodeClock;
import io.leveret.node.runtime.SerialExecutor;

/**
 * What the channels of one open connection share. Everything in it is used on the connection's loop.
 *
 * @param name the connection's name in listings
 * @param owner the connection's id as the owner of exclusive queues
 * @param messageBytesMax the largest body
 * @param isCancelNotified whether the client wants to hear of consumers that the server ends
 * @param isQosPerChannel whether the client means its channel by a basic.qos that is not global
 */
record ConnectionContext(
        String name,
        String owner,
        Login login,
        VirtualHost vhost,
        Permissions permissions,
        ReplyRoutes replies,
        SerialExecutor executor,
        NodeClock clock,
        Outbound out,
        PublishWindow window,
        int messageBytesMax,
        AssemblyRoom room,
        boolean isCancelNotified,
        boolean isQosPerChannel,
        Control control) {

    /** What a channel asks of its connection. */
    interface Control {
        /** A fault on a channel that ends the connection. */
        void fail(AmqpException fault);

        /** Something was published: the window may be full now, or an alarm may be on. */
        void published();

        /** Publishes were answered: the window may be open again. */
        void answered();

        /** A channel has too many frames waiting (true), or no longer has. */
        void backlog(boolean isLong);

        /** Whether the connection has ended, and its exclusive queues are being deleted. Any thread. */
        boolean isGone();

        /** The client agrees that the channel is closed: its number is free. */
        void released(int channel);
    }

    void check(Permission permission, QueueName queue) {
        if (!permissions.allows(login.user(), permission, queue)) {
            throw refused("queue " + queue);
        }
    }

    void check(Permission permission, ExchangeName exchange) {
        if (!permissions.allows(login.user(), permission, exchange)) {
            String shown = exchange.value().isEmpty() ? "amq.default" : exchange.value();
            throw refused("exchange '" + shown + "' in vhost '" + exchange.vhost() + "'");
        }
    }

    /** Topic permissions are about keys, and only for topic exchanges. */
    void checkTopic(Permission permission, ExchangeName exchange, String routingKey) {
        if (vhost.isTopic(exchange.value())
                && !permissions.allowsTopic(login.user(), permission, exchange, routingKey)) {
            throw refused("topic '" + routingKey + "' in exchange " + exchange);
        }
    }

    QueueName queue(String queue) {
        return new QueueName(vhost.name(), queue);
    }

    /** Those of arguments may be of any length. */
    ExchangeName exchange(String exchange) {
        try {
            return new ExchangeName(vhost.name(), exchange);
        } catch (IllegalArgumentException e) {
            throw AmqpException.channel(ReplyCode.PRECONDITION_FAILED, String.valueOf(e.getMessage()));
        }
    }

    private AmqpException refused(String what) {
        return AmqpException.channel(
                ReplyCode.ACCESS_REFUSED, "access to " + what + " refused for user '" + login.user() + "'");
    }
}
