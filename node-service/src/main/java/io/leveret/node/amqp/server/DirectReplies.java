package io.leveret.node.amqp.server;

import io.leveret.node.amqp.wire.AmqpException;
import io.leveret.node.amqp.wire.BasicMethod;
import io.leveret.node.amqp.wire.DeliverTemplate;
import io.leveret.node.amqp.wire.ReplyCode;
import io.leveret.node.broker.message.Message;
import io.leveret.node.broker.message.MessageProperties;
import io.leveret.node.broker.message.Property;
import io.leveret.node.broker.message.PropertyIndex;
import io.leveret.node.broker.vhost.ReplyAddress;
import io.leveret.node.broker.vhost.ReplyConsumer;
import io.leveret.node.runtime.SerialExecutor;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Direct reply-to on one channel: a consumer of {@value ReplyAddress#NAME}, which is no queue. Requests that this channel
 * publishes with that name as reply_to carry the channel's address instead; what others publish to the address is delivered
 * here, without acknowledgement. One consumer per channel. Lives on the connection's loop.
 *
 * <p>Bound: when the client leaves {@link #PENDING_BYTES_MAX} unread, further answers are dropped.
 */
final class DirectReplies implements ReplyConsumer {
    /** A client that has left this much unread will not miss one more answer. */
    static final int PENDING_BYTES_MAX = 16 << 20;

    private static final byte[] NAME = ReplyAddress.NAME.getBytes(StandardCharsets.US_ASCII);

    private final ChannelConsumers consumers;
    private final ConnectionContext context;

    @Nullable
    private ReplyAddress address;

    @Nullable
    private DeliverTemplate template;

    private String consumerTag = "";

    DirectReplies(ChannelConsumers consumers, ConnectionContext context) {
        this.consumers = consumers;
        this.context = context;
    }

    /** The client consumes answers. @param tag of its own, or made for it */
    void consume(BasicMethod.Consume method, String tag, int channelNumber) {
        if (!method.isNoAck()) {
            throw AmqpException.channel(ReplyCode.PRECONDITION_FAILED, "reply consumer cannot acknowledge");
        } else if (address != null) {
            throw AmqpException.channel(ReplyCode.PRECONDITION_FAILED, "reply consumer already set");
        }
        consumerTag = tag;
        template = new DeliverTemplate(channelNumber, tag);
        address = context.replies().open(this);
    }

    boolean isConsumer(String tag) {
        return address != null && consumerTag.equals(tag);
    }

    /** Whether the properties, just indexed, ask for an address in place of the name. */
    static boolean isAskedFor(PropertyIndex properties) {
        return properties.is(Property.REPLY_TO, NAME);
    }

    /** The request as it is sent: with this channel's address, if it asks for one. */
    Message withAddress(Message request) {
        MessageProperties properties = MessageProperties.of(request);
        if (!ReplyAddress.NAME.equals(properties.text(Property.REPLY_TO))) {
            return request;
        }
        ReplyAddress own = address;
        if (own == null) {
            throw AmqpException.channel(ReplyCode.PRECONDITION_FAILED, "fast reply consumer does not exist");
        }
        byte[] header =
                properties.toBuilder().text(Property.REPLY_TO, own.name()).toBytes();
        return new Message(request.exchange(), request.routingKey(), header, request.body(), request.isPersistent());
    }

    /** Whether a declare of this name succeeds: it looks for the channel behind the name, and makes nothing. */
    CompletionStage<Boolean> isThere(String name) {
        if (name.equals(ReplyAddress.NAME)) {
            return CompletableFuture.completedFuture(true);
        }
        ReplyAddress asked = ReplyAddress.parse(name);
        return asked == null
                ? CompletableFuture.completedFuture(false)
                : context.replies().isOpen(asked);
    }

    @Override
    public SerialExecutor executor() {
        return context.executor();
    }

    @Override
    public void deliver(Message message) {
        if (address != null && context.out().pendingBytes() < PENDING_BYTES_MAX) {
            consumers.showReply(Objects.requireNonNull(template), message);
        }
    }

    /** The consumer is cancelled, or the channel closes. */
    void close() {
        if (address != null) {
            context.replies().close(address);
            address = null;
        }
    }
}
