package io.leveret.node.amqp.server;

import io.leveret.node.amqp.server.ContentAssembler.Content;
import io.leveret.node.amqp.wire.AmqpException;
import io.leveret.node.amqp.wire.BasicMethod;
import io.leveret.node.amqp.wire.ChannelMethod;
import io.leveret.node.amqp.wire.ConfirmMethod;
import io.leveret.node.amqp.wire.ExchangeMethod;
import io.leveret.node.amqp.wire.Method;
import io.leveret.node.amqp.wire.MethodVisitor;
import io.leveret.node.amqp.wire.QueueMethod;
import io.leveret.node.amqp.wire.ReplyCode;
import io.leveret.node.amqp.wire.TxMethod;
import io.leveret.node.broker.message.FieldTableException;
import io.leveret.node.broker.message.Message;
import io.leveret.node.broker.queue.QueueUnavailableException;
import io.leveret.node.broker.vhost.BrokerException;
import io.netty.buffer.ByteBuf;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * One channel. Lives on the connection's loop.
 *
 * <p><em>Open</em>: commands run one after the other. A command that must wait for the cluster (a declare, a bind …) makes
 * the channel <em>wait</em>: later commands queue up, and those of other channels go on. A fault makes it <em>closing</em>:
 * channel.close is sent and everything is discarded until the client agrees. <em>Closed</em>: by the client, by its
 * agreement, or with the connection; the number is free.
 *
 * <p>Bound: the {@link CommandBacklog}.
 */
final class AmqpChannel implements MethodVisitor {
    /** Stands behind the last command of a client that has closed its connection. */
    private static final Object LEAVE = new Object();

    private final int number;
    private final ConnectionContext context;
    private final ChannelCounters counters = new ChannelCounters();
    private final ContentAssembler assembler;
    private final ChannelTransaction transaction;
    private final ChannelPublisher publisher;
    private final ChannelConsumers consumers;
    private final ChannelTopology topology;
    private final CommandBacklog backlog;
    private State state = State.OPEN;
    private boolean isWaiting;
    private boolean isRunning;
    private boolean isLeaving;
    /** Class and method of the command at work, for the close method. */
    private int currentId;

    private String lastQueue = "";
    private long usedAtMillis;

    AmqpChannel(int number, ConnectionContext context, long serial) {
        this.number = number;
        this.context = context;
        backlog = new CommandBacklog(context.control());
        assembler = new ContentAssembler(context.messageBytesMax(), context.room(), this::fail);
        transaction = new ChannelTransaction(this, context);
        consumers = new ChannelConsumers(this, context, counters, transaction);
        publisher = new ChannelPublisher(this, context, counters, transaction, serial);
        topology = new ChannelTopology(this, context, publisher, consumers.replies());
        usedAtMillis = context.clock().currentTimeMillis();
    }

    private enum State {
        OPEN,
        CLOSING,
        CLOSED
    }

    int number() {
        return number;
    }

    String name() {
        return context.name() + " (" + number + ")";
    }

    ChannelPublisher publisher() {
        return publisher;
    }

    ChannelConsumers consumers() {
        return consumers;
    }

    /** A method frame of this channel. */
    void onMethod(Method method) {
        if (state == State.OPEN) {
            assembler.checkMethodAllowed();
            if (method instanceof BasicMethod.Publish publish) {
                assembler.start(publish);
            } else {
                offer(method, 64);
            }
        } else if (method instanceof ChannelMethod.CloseOk) {
            release();
        } else if (method instanceof ChannelMethod.Close) {
            write(new ChannelMethod.CloseOk()); // both closed at the same time; theirs is answered, ours will be
        }
    }

    void onHeader(int classId, long bodySize, ByteBuf properties) {
        if (state == State.OPEN) {
            try {
                offerContent(assembler.header(classId, bodySize, properties));
            } catch (AmqpException e) {
                if (e.scope() == AmqpException.Scope.CONNECTION) {
                    throw e;
                }
                fail(e);
            }
        }
    }

    void onBody(ByteBuf payload) {
        if (state == State.OPEN) {
            offerContent(assembler.body(payload));
        }
    }

    private void offerContent(@Nullable Content content) {
        if (content != null) {
            offer(content, content.message().memoryBytes());
        }
    }

    private void offer(Object command, int bytes) {
        if (isHeldUp() || !backlog.isEmpty()) {
            backlog.add(command, bytes);
        } else {
            run(command);
        }
        drain();
    }

    /** A command is at work, or the client does not read what the last ones brought it. */
    private boolean isHeldUp() {
        return isWaiting || isRunning || context.out().isUnread();
    }

    private void drain() {
        while (!isHeldUp() && state == State.OPEN) {
            Object command = backlog.poll();
            if (command == null) {
                return;
            }
            run(command);
        }
    }

    /** The client has closed its connection: the channel ends when all that it was told before is done. */
    void leave() {
        isLeaving = true;
        if (state == State.OPEN) {
            offer(LEAVE, 0);
        } else {
            release();
        }
    }

    private void run(Object command) {
        isRunning = true;
        usedAtMillis = context.clock().currentTimeMillis();
        try {
            if (command instanceof Content content) {
                currentId = content.method().id();
                publisher.publish(content);
            } else if (command == LEAVE) {
                end(State.CLOSED);
                release();
            } else {
                Method method = (Method) command;
                currentId = method.id();
                method.accept(this);
            }
        } catch (AmqpException | BrokerException | FieldTableException | QueueUnavailableException e) {
            fail(Faults.translate(e));
        } finally {
            isRunning = false;
        }
    }

    /** Goes on with the command at hand when the stage completes; no other command of this channel starts before. */
    <T extends @Nullable Object> void await(CompletionStage<T> stage, Consumer<T> then) {
        await(stage, then, thrown -> false);
    }

    /** As above. @param onFailure returns true when the failure is dealt with; may throw another */
    <T extends @Nullable Object> void await(
            CompletionStage<T> stage, Consumer<T> then, Predicate<Throwable> onFailure) {
        isWaiting = true;
        stage.whenComplete((value, thrown) -> context.executor().run(() -> resume(value, thrown, then, onFailure)));
    }

    private <T extends @Nullable Object> void resume(
            T value, @Nullable Throwable thrown, Consumer<T> then, Predicate<Throwable> onFailure) {
        isWaiting = false;
        if (state != State.OPEN && thrown != null) {
            return;
        }
        boolean wasRunning = isRunning; // completed at once: the command is still on the stack and will drain
        isRunning = true;
        try {
            if (thrown == null) {
                then.accept(value);
            } else {
                goOnWithout(thrown, onFailure);
            }
        } catch (AmqpException | BrokerException | FieldTableException | QueueUnavailableException e) {
            fail(Faults.translate(e));
        } finally {
            isRunning = wasRunning;
        }
        drain();
    }

    private static void goOnWithout(Throwable thrown, Predicate<Throwable> onFailure) {
        Throwable cause =
                thrown instanceof CompletionException && thrown.getCause() != null ? thrown.getCause() : thrown;
        if (!onFailure.test(cause)) {
            throw Faults.translate(cause);
        }
    }

    private void fail(AmqpException fault) {
        if (state != State.OPEN) {
            return;
        }
        AmqpException at =
                fault.classId() == 0 && currentId != 0 ? fault.at(currentId >>> 16, currentId & 0xffff) : fault;
        if (at.scope() == AmqpException.Scope.CONNECTION) {
            context.control().fail(at);
            return;
        }
        end(State.CLOSING);
        if (isLeaving) {
            release(); // the client does not listen any more
            return;
        }
        write(new ChannelMethod.Close(at.code().code(), at.replyText(), at.classId(), at.methodId()));
    }

    /** The connection is gone or going: ends everything without a word. */
    void terminate() {
        if (state == State.OPEN) {
            end(State.CLOSED);
        }
    }

    private void end(State next) {
        state = next;
        assembler.reset();
        transaction.end();
        consumers.close();
        publisher.close();
        backlog.clear();
    }

    /** What this channel has published to which exchange. */
    List<ChannelStatistics.Exchange> exchangeCounts() {
        return counters.exchanges.snapshot();
    }

    private void release() {
        state = State.CLOSED;
        context.control().released(number);
    }

    private void write(Method method) {
        context.out().method(number, method);
    }

    /** Nothing is said on a channel that is closing: the answer of a command may come that late. */
    void send(Method method) {
        if (state == State.OPEN) {
            write(method);
        }
    }

    void send(Method method, Message message) {
        if (state == State.OPEN) {
            context.out().content(number, method, message);
        }
    }

    /** The queue that a method means: an empty name is the last one that this channel declared. */
    String resolveQueue(String asked) {
        if (!asked.isEmpty()) {
            return ChannelTopology.withoutLineEnds(asked);
        } else if (lastQueue.isEmpty()) {
            throw AmqpException.channel(ReplyCode.NOT_FOUND, "no previously declared queue");
        }
        return lastQueue;
    }

    void rememberQueue(String name) {
        lastQueue = name;
    }

    /** Time has passed: a delivery that is not settled for so long ends the channel. */
    void checkTimeout(long timeoutMillis) {
        if (state == State.OPEN && consumers.isOverdue(timeoutMillis)) {
            currentId = 0; // no method is to blame
            fail(AmqpException.channel(
                    ReplyCode.PRECONDITION_FAILED,
                    "delivery acknowledgement on channel " + number + " timed out. Timeout value used: " + timeoutMillis
                            + " ms. This timeout value can be configured, see consumers doc guide to learn more"));
        }
    }

    /** The socket takes more. */
    void writable() {
        drain();
        consumers.writable();
    }

    ChannelStatistics statistics(InetSocketAddress peer) {
        return new ChannelStatistics(
                name(),
                context.name(),
                number,
                context.vhost().name().value(),
                context.login().user().value(),
                peer.getAddress().getHostAddress(),
                peer.getPort(),
                state == State.OPEN ? "running" : "closing",
                usedAtMillis,
                consumers.unacked(),
                publisher.unconfirmed(),
                transaction.publishes(),
                transaction.verdicts(),
                consumers.prefetch(),
                consumers.globalPrefetch(),
                transaction.isSelected(),
                publisher.isConfirm(),
                counters.snapshot(),
                counters.exchanges.snapshot(),
                consumers.statistics());
    }

    @Override
    public void onChannelOpen(ChannelMethod.Open method) {
        throw AmqpException.connection(ReplyCode.CHANNEL_ERROR, "second 'channel.open' seen");
    }

    @Override
    public void onChannelFlow(ChannelMethod.Flow method) {
        if (!method.isActive()) {
            throw AmqpException.connection(ReplyCode.NOT_IMPLEMENTED, "active=false");
        }
        send(new ChannelMethod.FlowOk(true));
    }

    @Override
    public void onChannelClose(ChannelMethod.Close method) {
        end(State.CLOSED);
        write(new ChannelMethod.CloseOk());
        context.control().released(number);
    }

    @Override
    public void onExchangeDeclare(ExchangeMethod.Declare method) {
        topology.declareExchange(method);
    }

    @Override
    public void onExchangeDelete(ExchangeMethod.Delete method) {
        topology.deleteExchange(method);
    }

    @Override
    public void onExchangeBind(ExchangeMethod.Bind method) {
        topology.bindExchange(method);
    }

    @Override
    public void onExchangeUnbind(ExchangeMethod.Unbind method) {
        topology.unbindExchange(method);
    }

    @Override
    public void onQueueDeclare(QueueMethod.Declare method) {
        topology.declareQueue(method);
    }

    @Override
    public void onQueueBind(QueueMethod.Bind method) {
        topology.bindQueue(method);
    }

    @Override
    public void onQueueUnbind(QueueMethod.Unbind method) {
        topology.unbindQueue(method);
    }

    @Override
    public void onQueuePurge(QueueMethod.Purge method) {
        topology.purgeQueue(method);
    }

    @Override
    public void onQueueDelete(QueueMethod.Delete method) {
        topology.deleteQueue(method);
    }

    @Override
    public void onBasicQos(BasicMethod.Qos method) {
        consumers.qos(method);
    }

    @Override
    public void onBasicConsume(BasicMethod.Consume method) {
        consumers.consume(method);
    }

    @Override
    public void onBasicCancel(BasicMethod.Cancel method) {
        consumers.cancel(method);
    }

    @Override
    public void onBasicPublish(BasicMethod.Publish method) {
        throw new IllegalStateException("a publish without its content");
    }

    @Override
    public void onBasicGet(BasicMethod.Get method) {
        consumers.get(method);
    }

    @Override
    public void onBasicAck(BasicMethod.Ack method) {
        consumers.ack(method);
    }

    @Override
    public void onBasicReject(BasicMethod.Reject method) {
        consumers.reject(method);
    }

    @Override
    public void onBasicNack(BasicMethod.Nack method) {
        consumers.nack(method);
    }

    @Override
    public void onBasicRecover(BasicMethod.Recover method) {
        consumers.recover(method.isRequeue());
        send(new BasicMethod.RecoverOk());
    }

    @Override
    public void onBasicRecoverAsync(BasicMethod.RecoverAsync method) {
        consumers.recover(method.isRequeue());
    }

    @Override
    public void onConfirmSelect(ConfirmMethod.Select method) {
        publisher.select();
        if (!method.isNoWait()) {
            send(new ConfirmMethod.SelectOk());
        }
    }

    @Override
    public void onTxSelect(TxMethod.Select method) {
        transaction.select();
    }

    @Override
    public void onTxCommit(TxMethod.Commit method) {
        transaction.commit();
    }

    @Override
    public void onTxRollback(TxMethod.Rollback method) {
        transaction.rollback();
    }

    @Override
    public void onUnexpected(Method method) {
        throw AmqpException.connection(ReplyCode.COMMAND_INVALID, "unimplemented method");
    }
}
