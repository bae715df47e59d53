package io.leveret.node.cluster.peer;

import io.leveret.model.NodeName;
import io.leveret.node.runtime.Cancellable;
import io.leveret.node.runtime.EventLoops;
import io.leveret.node.runtime.SerialExecutor;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the connections to the peers whose names sort after this node's: one attempt at a time for each, repeated with
 * back-off while the peer is a member. Owned by one executor.
 */
final class PeerClient {
    static final int HANDSHAKE_SECONDS_MAX = 5;
    private static final Logger LOG = LoggerFactory.getLogger(PeerClient.class);
    private static final int CONNECT_MILLIS_MAX = 2_000;
    /** A peer that restarts is back within seconds, and its queues wait for the link. */
    private static final long BACK_OFF_MILLIS_MIN = 50;

    private static final long BACK_OFF_MILLIS_MAX = 2_000;

    private final NettyPeerTransport transport;
    private final SerialExecutor executor;
    private final Map<NodeName, Target> targets = new HashMap<>();
    private boolean isClosed;

    PeerClient(NettyPeerTransport transport, SerialExecutor executor) {
        this.transport = transport;
        this.executor = executor;
    }

    void members(Map<NodeName, InetSocketAddress> members) {
        Map<NodeName, InetSocketAddress> copy = Map.copyOf(members);
        executor.run(() -> {
            targets.entrySet().removeIf(entry -> {
                boolean isGone = !copy.containsKey(entry.getKey());
                if (isGone) {
                    entry.getValue().forget();
                }
                return isGone;
            });
            copy.forEach((name, address) -> {
                if (transport.config().self().compareTo(name) < 0) {
                    targets.computeIfAbsent(name, Target::new).at(address);
                }
            });
        });
    }

    void close() {
        executor.run(() -> {
            isClosed = true;
            targets.values().forEach(Target::forget);
            targets.clear();
        });
    }

    /** How a call ended; told once, on an executor of the connection's. */
    private interface CallOutcome {
        void proved(Channel channel, PeerFrameDecoder decoder, String peer, long peerBoot);

        void refused(String peer, PeerRefusal reason);

        void failed(String reason);
    }

    void probe(InetSocketAddress address, Consumer<PeerProbe> result) {
        new Call(address, "", new CallOutcome() {
            @Override
            public void proved(Channel channel, PeerFrameDecoder decoder, String peer, long peerBoot) {
                result.accept(new PeerProbe.Accepted(new NodeName(peer)));
            }

            @Override
            public void refused(String peer, PeerRefusal reason) {
                result.accept(new PeerProbe.Refused(peer.isEmpty() ? address.toString() : peer, reason));
            }

            @Override
            public void failed(String reason) {
                result.accept(new PeerProbe.Unreachable(reason));
            }
        });
    }

    /** A connection attempt up to the end of the handshake. Its outcome is told on the connection's executor. */
    private final class Call implements PeerHandshake.Outcome {
        private final CallOutcome then;
        private final String expected;
        private @Nullable Cancellable deadline;
        private @Nullable Channel channel;
        private @Nullable PeerFrameDecoder decoder;

        Call(InetSocketAddress address, String expected, CallOutcome then) {
            this.expected = expected;
            this.then = then;
            new Bootstrap()
                    .group(transport.loops().group())
                    .channel(EventLoops.clientChannelType())
                    .option(ChannelOption.TCP_NODELAY, true)
                    .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_MILLIS_MAX)
                    .option(ChannelOption.AUTO_READ, false)
                    .handler(new ChannelInboundHandlerAdapter())
                    .connect(address)
                    .addListener((ChannelFuture connected) -> {
                        if (connected.isSuccess()) {
                            begin(connected.channel(), address);
                        } else {
                            then.failed(String.valueOf(connected.cause().getMessage()));
                        }
                    });
        }

        private void begin(Channel connected, InetSocketAddress address) {
            channel = connected;
            PeerTls tls = transport.config().tls();
            if (tls != null) {
                tls.calling(connected, address).handshakeFuture().addListener(done -> {
                    if (!done.isSuccess()) {
                        transport.tlsFailed(expected, done.cause());
                    }
                });
            }
            PeerHandshake handshake =
                    PeerHandshake.calling(transport.config(), connected, transport.nonce(), this, expected);
            PeerFrameDecoder made = new PeerFrameDecoder(handshake);
            decoder = made;
            connected.pipeline().addLast(made, PeerErrors.INSTANCE);
            deadline = transport
                    .executorOf(connected)
                    .schedule(
                            () -> handshake.broken("the handshake takes too long"),
                            TimeUnit.SECONDS.toNanos(HANDSHAKE_SECONDS_MAX));
            connected.config().setAutoRead(true);
        }

        @Override
        public void proved(String peer, long peerBoot, boolean isProbe) {
            if (channel == null || decoder == null) {
                throw new IllegalStateException("a handshake without a connection");
            }
            if (isProbe) {
                hangUp();
            } else if (deadline != null) {
                deadline.cancel();
            }
            then.proved(channel, decoder, peer, peerBoot);
        }

        @Override
        public void refused(String peer, PeerRefusal reason) {
            hangUp();
            then.refused(peer, reason);
        }

        @Override
        public void failed(String reason) {
            hangUp();
            then.failed(reason);
        }

        private void hangUp() {
            if (deadline != null) {
                deadline.cancel();
            }
            if (decoder != null) {
                decoder.stop();
            }
            if (channel != null) {
                channel.close();
            }
        }
    }

    /** A peer that this node calls. Owned by the client's executor. */
    private final class Target {
        private final NodeName name;
        private @Nullable InetSocketAddress address;
        private boolean isBusy;
        private boolean isForgotten;
        private long backOffMillis = BACK_OFF_MILLIS_MIN;
        private @Nullable Cancellable retry;

        Target(NodeName name) {
            this.name = name;
        }

        void at(InetSocketAddress current) {
            boolean isNew = !current.equals(address);
            address = current;
            if (isNew && retry != null) {
                retry.cancel();
                retry = null;
                backOffMillis = BACK_OFF_MILLIS_MIN;
            }
            if (!isBusy && retry == null) {
                call();
            }
        }

        void forget() {
            isForgotten = true;
            if (retry != null) {
                retry.cancel();
            }
        }

        private void call() {
            retry = null;
            InetSocketAddress to = address;
            if (isForgotten || isClosed || isBusy || to == null) {
                return;
            }
            isBusy = true;
            new Call(to, name.value(), new Attempt());
        }

        private void again(String reason) {
            isBusy = false;
            if (isForgotten || isClosed) {
                return;
            }
            LOG.debug("calling {} again in {} ms: {}", name, backOffMillis, reason);
            long jitter = transport.randomness().below(backOffMillis / 2 + 1);
            retry = executor.schedule(this::call, TimeUnit.MILLISECONDS.toNanos(backOffMillis + jitter));
            backOffMillis = Math.min(2 * backOffMillis, BACK_OFF_MILLIS_MAX);
        }

        private void linked(NettyPeerLink link) {
            backOffMillis = BACK_OFF_MILLIS_MIN;
            link.whenEnded(() -> executor.run(() -> again("the link ended")));
        }

        private final class Attempt implements CallOutcome {
            @Override
            public void proved(Channel channel, PeerFrameDecoder decoder, String peer, long peerBoot) {
                NettyPeerLink link = transport.established(channel, decoder, name, peerBoot, () -> {});
                executor.run(() -> linked(link));
            }

            @Override
            public void refused(String peer, PeerRefusal reason) {
                transport.refused(name.value(), reason);
                executor.run(() -> again(reason.text()));
            }

            @Override
            public void failed(String reason) {
                executor.run(() -> again(reason));
            }
        }
    }
}
