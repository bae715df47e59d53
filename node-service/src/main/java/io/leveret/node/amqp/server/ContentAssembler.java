package io.leveret.node.amqp.server;

import io.leveret.node.amqp.wire.AmqpException;
import io.leveret.node.amqp.wire.BasicMethod;
import io.leveret.node.amqp.wire.ReplyCode;
import io.leveret.node.broker.message.FieldTableException;
import io.leveret.node.broker.message.Message;
import io.leveret.node.broker.message.Property;
import io.leveret.node.broker.message.PropertyIndex;
import io.netty.buffer.ByteBuf;
import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Puts the frames of one channel's publishes together: method, then header, then as many bodies as the header announced.
 *
 * <p>Bound: one message of the size that was configured; memory is taken as it arrives, not as it is announced, unless
 * the {@link AssemblyRoom} has room for all of it.
 */
final class ContentAssembler implements AssemblyRoom.Guest {
    /** An announcement up to here is believed. */
    private static final int BELIEVED_BYTES = 1 << 20;

    private static final byte[] EMPTY = new byte[0];

    private final int bodyBytesMax;
    private final AssemblyRoom room;
    private final Consumer<AmqpException> refusal;
    private final PropertyIndex index = new PropertyIndex();

    private BasicMethod.@Nullable Publish method;
    private boolean hasHeader;
    private byte[] header = EMPTY;
    private boolean isPersistent;
    private boolean isPlain;
    private byte[] body = EMPTY;
    private AssemblyRoom.Stay stay = AssemblyRoom.Stay.NONE;
    private int announced;
    private int received;

    /** @param refusal takes the fault of a body for which there is no room */
    ContentAssembler(int bodyBytesMax, AssemblyRoom room, Consumer<AmqpException> refusal) {
        this.bodyBytesMax = bodyBytesMax;
        this.room = room;
        this.refusal = refusal;
    }

    /** True between a publish and the end of its content. */
    boolean isOpen() {
        return method != null;
    }

    void start(BasicMethod.Publish publish) {
        method = publish;
        hasHeader = false;
    }

    /** Any other method came. @throws AmqpException when content was due */
    void checkMethodAllowed() {
        if (method != null) {
            throw hasHeader ? bodyExpected() : headerExpected("non content header frame");
        }
    }

    /** @return the finished publish, when the message has no body */
    @Nullable
    Content header(int classId, long bodySize, ByteBuf properties) {
        if (method == null) {
            throw methodExpected();
        } else if (hasHeader) {
            throw bodyExpected();
        } else if (classId != BasicMethod.CLASS_ID) {
            throw headerExpected("one for class " + classId);
        }
        if (bodySize < 0 || bodySize > bodyBytesMax) {
            method = null;
            throw AmqpException.channel(
                            ReplyCode.PRECONDITION_FAILED,
                            "message size " + Long.toUnsignedString(bodySize) + " is larger than configured max size "
                                    + bodyBytesMax)
                    .at(BasicMethod.CLASS_ID, 40);
        }
        readProperties(properties);
        hasHeader = true;
        announced = (int) bodySize;
        received = 0;
        body = announced == 0 ? EMPTY : new byte[Math.min(announced, BELIEVED_BYTES)];
        if (announced == 0) {
            return finish(method);
        }
        stay = room.enter(announced, this);
        return null;
    }

    /** @return the finished publish, when this was its last body */
    @Nullable
    Content body(ByteBuf payload) {
        if (method == null) {
            throw methodExpected();
        } else if (!hasHeader) {
            throw headerExpected("non content header frame");
        }
        int length = payload.readableBytes();
        if (length > announced - received) {
            throw bodyExpected();
        }
        if (length > body.length - received) {
            body = Arrays.copyOf(body, Math.min(announced, Math.max(body.length * 2, received + length)));
        }
        payload.readBytes(body, received, length);
        received += length;
        return received == announced ? finish(method) : null;
    }

    /** There is room for the whole body: no more need to grow with what comes. */
    @Override
    public void bodyMayCome() {
        if (method != null && hasHeader && body.length < announced) {
            body = Arrays.copyOf(body, announced);
        }
    }

    @Override
    public void bodyIsTooMuch() {
        refusal.accept(AmqpException.channel(
                        ReplyCode.CONTENT_TOO_LARGE,
                        "no room for a body of " + announced + " bytes at present, try again later")
                .at(BasicMethod.CLASS_ID, 40));
    }

    private void leaveRoom() {
        AssemblyRoom.Stay was = stay;
        stay = AssemblyRoom.Stay.NONE;
        was.leave();
    }

    /** Forgets a half message. */
    void reset() {
        method = null;
        body = EMPTY;
        leaveRoom();
    }

    private Content finish(BasicMethod.Publish publish) {
        method = null;
        Message message = new Message(publish.exchange(), publish.routingKey(), header, body, isPersistent);
        body = EMPTY;
        leaveRoom();
        return new Content(publish, message, isPlain);
    }

    /** Most publishers send the same properties again and again: then the last bytes, and what was found in them, serve. */
    private void readProperties(ByteBuf properties) {
        int length = properties.readableBytes();
        if (header.length == length && isSame(properties)) {
            return;
        }
        byte[] bytes = new byte[length];
        properties.readBytes(bytes);
        header = EMPTY;
        try {
            index.index(bytes);
            // Whoever reads them later, a leader that dead-letters among them, has nobody to tell.
            index.checkHeaders();
        } catch (FieldTableException e) {
            throw AmqpException.connection(ReplyCode.SYNTAX_ERROR, String.valueOf(e.getMessage()))
                    .at(BasicMethod.CLASS_ID, 40);
        }
        int deliveryMode = index.octet(Property.DELIVERY_MODE);
        isPersistent = deliveryMode == 2;
        isPlain = deliveryMode <= 2
                && deliveryMode != 0
                && !index.has(Property.EXPIRATION)
                && !index.has(Property.USER_ID)
                && !index.has(Property.HEADERS)
                && !DirectReplies.isAskedFor(index);
        header = bytes;
    }

    private boolean isSame(ByteBuf properties) {
        int at = properties.readerIndex();
        for (int i = 0; i < header.length; i++) {
            if (properties.getByte(at + i) != header[i]) {
                return false;
            }
        }
        return true;
    }

    private static AmqpException methodExpected() {
        return AmqpException.connection(
                ReplyCode.UNEXPECTED_FRAME, "expected method frame, got non method frame instead");
    }

    private static AmqpException bodyExpected() {
        return AmqpException.connection(
                        ReplyCode.UNEXPECTED_FRAME, "expected content body, got non content body frame instead")
                .at(BasicMethod.CLASS_ID, 40);
    }

    private static AmqpException headerExpected(String got) {
        return AmqpException.connection(
                        ReplyCode.UNEXPECTED_FRAME, "expected content header for class 60, got " + got + " instead")
                .at(BasicMethod.CLASS_ID, 40);
    }

    /**
     * A publish with its message.
     *
     * @param isPlain none of the properties needs a closer look: no headers, expiration, user id, direct reply-to or odd
     *     delivery mode
     */
    record Content(BasicMethod.Publish method, Message message, boolean isPlain) {}
}
