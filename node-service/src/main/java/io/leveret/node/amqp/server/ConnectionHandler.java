package io.leveret.node.amqp.server;

import io.leveret.model.VhostName;
import io.leveret.node.amqp.wire.AmqpException;
import io.leveret.node.amqp.wire.ConnectionMethod;
import io.leveret.node.amqp.wire.FrameDecoder;
import io.leveret.node.amqp.wire.FrameSink;
import io.leveret.node.amqp.wire.Method;
import io.leveret.node.amqp.wire.ProtocolHeader;
import io.leveret.node.amqp.wire.ReplyCode;
import io.leveret.node.broker.auth.Login;
import io.leveret.node.broker.vhost.VirtualHost;
import io.leveret.node.runtime.Cancellable;
import io.leveret.node.runtime.NodeClock;
import io.leveret.node.runtime.SerialExecutor;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One client connection, on the loop of its socket.
 *
 * <p><em>Header</em>: eight bytes are awaited. <em>Handshake</em>: see {@link Handshake}. <em>Running</em>. <em>Leaving</em>:
 * the client has closed it; what it said before is done, and its exclusive queues go. <em>Closing</em>: connection.close was
 * sent; everything is discarded until the client agrees or {@link #CLOSING_SECONDS_MAX} are over. <em>Dropped</em>: nothing more
 * is read, and the socket closes soon. <em>Gone</em>: the socket is closed; its exclusive queues go.
 *
 * <p>Bounds: the {@link ReadingGate}; a connection that has not opened within {@link #HANDSHAKE_SECONDS_MAX} is dropped.
 */
final class ConnectionHandler implements FrameSink, Handshake.Host, ConnectionContext.Control {
    static final int HANDSHAKE_SECONDS_MAX = 10;
    static final int CLOSING_SECONDS_MAX = 10;
    /** No client waits much longer for close-ok. */
    private static final long LEAVING_NANOS_MAX = TimeUnit.SECONDS.toNanos(5);
    /** Slows down those who try passwords. */
    private static final long DROP_NANOS = TimeUnit.SECONDS.toNanos(3);

    private static final Logger LOG = LoggerFactory.getLogger(ConnectionHandler.class);

    private final Channel socket;
    private final ConnectionRegistry.Peers peers;
    private final AmqpServerConfig config;
    private final AmqpServer.Services services;
    private final ConnectionRegistry registry;
    private final SerialExecutor executor;
    private final NodeClock clock;
    private final Outbound out;
    private final FrameDecoder decoder;
    private final Handshake handshake;
    private final PublishWindow window;
    private final ReadingGate reading;
    private final PublisherBlock block;
    private final HeartbeatTimer heartbeats;
    private final HeldAnswer held;
    private final CompletableFuture<Void> gone = new CompletableFuture<>();
    private final long connectedAtMillis;
    private State state = State.HEADER;
    private long receivedBytes;
    private Cancellable timeout;

    private @Nullable ConnectionContext context;
    private @Nullable ChannelTable channels;

    ConnectionHandler(
            Channel socket,
            AmqpServerConfig config,
            AmqpServer.Services services,
            ConnectionRegistry registry,
            SerialExecutor executor,
            NodeClock clock) {
        this.socket = socket;
        this.peers = ConnectionRegistry.Peers.of(socket);
        this.config = config;
        this.services = services;
        this.registry = registry;
        this.executor = executor;
        this.clock = clock;
        this.out = new Outbound(socket, executor, this::writable);
        this.window = new PublishWindow(registry.intake().share());
        this.reading = new ReadingGate(socket, window);
        this.heartbeats = new HeartbeatTimer(
                executor,
                out,
                () -> new HeartbeatTimer.Received(receivedBytes, reading.isReading()),
                () -> giveUp("missed heartbeats"));
        this.out.watch(new UnreadWatch(out, executor, reading, () -> giveUp("reads nothing of what it is sent")));
        this.held = new HeldAnswer(registry.throttle(), peers.remote().getAddress(), executor, clock);
        this.decoder = new FrameDecoder(this, config.frameBytesMax());
        this.handshake = new Handshake(config, services, registry, this);
        this.block = new PublisherBlock(registry, reading, handshake, this::send);
        this.connectedAtMillis = clock.currentTimeMillis();
        this.timeout = executor.schedule(socket::close, TimeUnit.SECONDS.toNanos(HANDSHAKE_SECONDS_MAX));
    }

    private enum State {
        HEADER,
        HANDSHAKE,
        RUNNING,
        LEAVING,
        CLOSING,
        DROPPED,
        GONE
    }

    /** Bytes came. Takes all that is complete; the rest stays in the buffer. */
    void received(ByteBuf in, int newBytes) {
        receivedBytes += newBytes;
        boolean isMore = true;
        while (isMore) {
            try {
                isMore = takeNext(in);
            } catch (AmqpException e) {
                fail(e);
            }
        }
    }

    private boolean takeNext(ByteBuf in) {
        switch (state) {
            case HEADER:
                return takeProtocolHeader(in);
            case DROPPED, GONE:
                in.skipBytes(in.readableBytes());
                return false;
            default:
                if (decoder.isLost()) {
                    if (state == State.CLOSING && FrameDecoder.endsWithCloseOk(in)) {
                        state = State.DROPPED;
                        socket.close();
                    }
                    in.skipBytes(in.readableBytes());
                    return false;
                }
                return decoder.decodeNext(in);
        }
    }

    private boolean takeProtocolHeader(ByteBuf in) {
        String opening = ProtocolHeader.shown(in);
        boolean isPossible = ProtocolHeader.isPossible(in);
        if (isPossible && in.readableBytes() < ProtocolHeader.BYTES) {
            return false;
        }
        if (isPossible && ProtocolHeader.read(in)) {
            state = State.HANDSHAKE;
            handshake.start();
            return true;
        }
        state = State.DROPPED;
        LOG.warn("connection {} opened with {}; refused", peers.name(), opening);
        out.raw(ProtocolHeader.spoken());
        out.flushAndClose();
        return true;
    }

    @Override
    public void onMethod(int channel, Method method) {
        switch (state) {
            case RUNNING -> {
                if (channel == 0) {
                    onConnectionMethod(method);
                } else {
                    channels().onMethod(channel, method);
                }
            }
            case HANDSHAKE -> {
                if (channel == 0) {
                    handshake.onMethod(method);
                } else {
                    drop(Handshake.OUT_OF_TURN);
                }
            }
            case CLOSING -> onMethodWhileClosing(channel, method);
            default -> {
                // nobody listens any more
            }
        }
    }

    private void onConnectionMethod(Method method) {
        if (method instanceof ConnectionMethod.Close) {
            LOG.info("connection {} closed by its client", peers.name());
            state = State.LEAVING;
            reading.closing();
            timeout = executor.schedule(this::sayGoodbye, LEAVING_NANOS_MAX);
            channels().leave(this::left);
        } else if (method instanceof ConnectionMethod.UpdateSecret update) {
            // Names and passwords do not expire: there is nothing to renew, and nothing that could be refused.
            LOG.info("connection {} updated its secret, reason: {}", peers.name(), Handshake.shown(update.reason()));
            send(new ConnectionMethod.UpdateSecretOk());
        } else {
            throw AmqpException.connection(ReplyCode.CHANNEL_ERROR, "unexpected method in connection state running")
                    .at(method.classId(), method.methodId());
        }
    }

    /** Who has seen close-ok may count on it that the exclusive queues are gone. */
    private void left() {
        endChannels();
        ConnectionContext open = Objects.requireNonNull(context, "leaving without having entered");
        open.vhost().closeOwner(open.owner()).thenRun(() -> executor.run(this::sayGoodbye));
    }

    private void sayGoodbye() {
        if (state == State.LEAVING) {
            state = State.DROPPED;
            send(new ConnectionMethod.CloseOk());
            out.flushAndClose();
        }
    }

    private void onMethodWhileClosing(int channel, Method method) {
        if (channel == 0 && method instanceof ConnectionMethod.CloseOk) {
            state = State.DROPPED;
            socket.close();
        } else if (channel == 0 && method instanceof ConnectionMethod.Close) {
            send(new ConnectionMethod.CloseOk());
        }
    }

    private ChannelTable channels() {
        return Objects.requireNonNull(channels, "running without channels");
    }

    @Override
    public void onHeader(int number, int classId, long bodySize, ByteBuf properties) {
        if (state == State.HANDSHAKE) {
            drop(Handshake.OUT_OF_TURN);
        } else if (state == State.RUNNING) {
            if (number == 0) {
                throw FrameDecoder.unexpectedHeader(properties);
            }
            channels().get(number).onHeader(classId, bodySize, properties);
        }
    }

    @Override
    public void onBody(int number, ByteBuf payload) {
        if (state == State.HANDSHAKE) {
            drop(Handshake.OUT_OF_TURN);
        } else if (state == State.RUNNING) {
            if (number == 0) {
                throw FrameDecoder.unexpectedBody(payload);
            }
            channels().get(number).onBody(payload);
        }
    }

    @Override
    public ConnectionRegistry.Peers peers() {
        return peers;
    }

    @Override
    public void send(Method method) {
        out.method(0, method);
    }

    @Override
    public <T extends @Nullable Object> void await(
            CompletionStage<T> stage, Consumer<T> then, Consumer<Throwable> onFailure) {
        stage.whenComplete((value, thrown) -> executor.run(() -> {
            if (state == State.HANDSHAKE) {
                if (thrown == null) {
                    then.accept(value);
                } else {
                    onFailure.accept(thrown);
                }
            }
        }));
    }

    @Override
    public void drop(String why) {
        state = State.DROPPED;
        LOG.warn("connection {} {}; dropped", peers.name(), why);
        timeout.cancel();
        held.hold(DROP_NANOS, socket::close, socket::close);
    }

    @Override
    public void refuseLogin(String why, @Nullable AmqpException fault) {
        LOG.warn("connection {} {}; refused", peers.name(), why);
        timeout.cancel();
        if (fault == null) {
            state = State.DROPPED;
            held.holdLogin(DROP_NANOS, socket::close, socket::close);
        } else {
            held.holdLogin(0, () -> close(fault), socket::close);
        }
    }

    @Override
    public void refuse(AmqpException fault) {
        LOG.warn("connection {} refused: {}", peers.name(), fault.replyText());
        close(fault);
    }

    @Override
    public void tuned(int frameBytesMax, int heartbeatSeconds) {
        decoder.setFrameBytesMax(frameBytesMax);
        out.setFrameBytesMax(frameBytesMax);
        if (heartbeatSeconds > 0) {
            heartbeats.start(TimeUnit.SECONDS.toNanos(heartbeatSeconds) / 2);
        }
    }

    @Override
    public void opened(Handshake done, Login login, VirtualHost vhost) {
        timeout.cancel();
        ConnectionContext open = new ConnectionContext(
                peers.name(),
                config.ownerPrefix() + "/" + registry.nextSerial(),
                login,
                vhost,
                services.permissions(),
                services.replies(),
                executor,
                clock,
                out,
                window,
                config.limits().messageBytesMax(),
                new AssemblyRoom(registry.bodies(), executor, reading),
                done.hasCapability("consumer_cancel_notify"),
                done.isQosPerChannel(),
                this);
        context = open;
        channels = new ChannelTable(registry, open, done.channelMax(), config.settleTimeoutMillis());
        state = State.RUNNING;
        send(new ConnectionMethod.OpenOk());
        LOG.info("connection {} opened: user '{}', vhost '{}'", peers.name(), login.user(), vhost.name());
        registry.opened(this);
        if (!services.permissions().mayEnter(login.user(), vhost.name())) {
            // Taken away after it was looked at, before this connection was in the registry for those who end it.
            force("access of user '" + login.user() + "' to vhost '" + vhost.name() + "' was withdrawn");
        }
    }

    private void giveUp(String why) {
        LOG.warn("connection {} {}; closed", peers.name(), why);
        socket.close();
    }

    @Override
    public void fail(AmqpException fault) {
        switch (state) {
            case RUNNING -> {
                LOG.warn("connection {} failed: {}", peers.name(), fault.replyText());
                close(fault);
            }
            case HANDSHAKE -> drop(Handshake.OUT_OF_TURN + " (" + fault.replyText() + ")");
            default -> {
                // it is ending already
            }
        }
    }

    private void close(AmqpException fault) {
        state = State.CLOSING;
        endChannels();
        send(new ConnectionMethod.Close(fault.code().code(), fault.replyText(), fault.classId(), fault.methodId()));
        reading.closing();
        timeout.cancel();
        timeout = executor.schedule(socket::close, TimeUnit.SECONDS.toNanos(CLOSING_SECONDS_MAX));
    }

    /** Closes the connection with 320. On its loop. */
    void force(String reason) {
        if (state == State.RUNNING) {
            fail(AmqpException.connection(ReplyCode.CONNECTION_FORCED, reason));
        } else if (state == State.HEADER || state == State.HANDSHAKE || state == State.LEAVING) {
            socket.close();
        }
    }

    @Override
    public void published() {
        reading.published();
        block.published();
    }

    /** The last alarm is over. On the loop. */
    void unblock() {
        block.cleared(state == State.RUNNING);
    }

    @Override
    public void answered() {
        reading.answered();
    }

    @Override
    public void backlog(boolean isLong) {
        reading.backlog(isLong);
    }

    @Override
    public void released(int channel) {
        channels().released(channel);
    }

    /** The socket takes more. */
    void writable() {
        if (out.takeMore() && (state == State.RUNNING || state == State.LEAVING)) {
            channels().writable();
        }
    }

    /** The socket is closed. Once. */
    void disconnected() {
        if (state == State.RUNNING) {
            LOG.warn("connection {} ended by its client without closing it", peers.name());
        }
        state = State.GONE;
        timeout.cancel();
        heartbeats.stop();
        held.forget();
        endChannels();
        out.discard();
        ConnectionContext was = context;
        if (was != null) {
            registry.closed(this);
            was.vhost().closeOwner(was.owner());
        }
        gone.complete(null);
    }

    /** Nothing more comes from this client: what it held is free before it is told so. */
    private void endChannels() {
        handshake.leave();
        if (channels != null) {
            channels.terminate();
        }
    }

    @Override
    public SerialExecutor executor() {
        return executor;
    }

    @Override
    public boolean isGone() {
        return gone.isDone();
    }

    /** Completes when the connection is gone. */
    CompletionStage<Void> gone() {
        return gone;
    }

    String name() {
        return peers.name();
    }

    /** Of an open connection only. */
    String user() {
        return context == null ? "" : context.login().user().value();
    }

    /** Its id as the owner of exclusive queues; of an open connection only. */
    String owner() {
        return context == null ? "" : context.owner();
    }

    /** Of an open connection only. */
    boolean isIn(VhostName vhost) {
        return context != null && context.vhost().name().equals(vhost);
    }

    /** On the loop; of an open connection only. */
    ConnectionStatistics statistics() {
        String shown = state == State.RUNNING ? reading.shown(registry.alarm() != null) : "closing";
        return ConnectionStatistics.of(
                peers,
                context,
                handshake,
                new ConnectionStatistics.Figures(
                        connectedAtMillis,
                        shown,
                        channels == null ? 0 : channels.size(),
                        receivedBytes,
                        decoder.frames()),
                out);
    }

    /** On the loop. */
    List<ChannelStatistics> channelStatistics() {
        return channels == null ? List.of() : channels.statistics(peers.remote());
    }
}
