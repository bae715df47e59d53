package io.leveret.node.cluster.peer;

import io.leveret.model.NodeName;
import io.leveret.node.runtime.Cancellable;
import io.leveret.node.runtime.EventLoops;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takes the connections of the peers whose names sort before this node's, and probes. */
final class PeerServer {
    private static final Logger LOG = LoggerFactory.getLogger(PeerServer.class);

    private final NettyPeerTransport transport;
    private @Nullable Channel listening;

    PeerServer(NettyPeerTransport transport) {
        this.transport = transport;
    }

    int start() {
        InetSocketAddress address = transport.config().listen();
        var bound = new ServerBootstrap()
                .group(transport.loops().group())
                .channel(EventLoops.serverChannelType())
                .option(ChannelOption.SO_REUSEADDR, true)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childHandler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        PeerTls tls = transport.config().tls();
                        if (tls != null) {
                            tls.called(channel);
                        }
                        new Incoming(channel);
                    }
                })
                .bind(address)
                .awaitUninterruptibly();
        if (!bound.isSuccess()) {
            throw new UncheckedIOException(new IOException("cannot listen for peers on " + address, bound.cause()));
        }
        listening = bound.channel();
        return ((InetSocketAddress) listening.localAddress()).getPort();
    }

    void close() {
        if (listening != null) {
            listening.close();
        }
    }

    /** One connection until it is a link. */
    private final class Incoming implements PeerHandshake.Outcome {
        private final Channel channel;
        private final PeerHandshake handshake;
        private final PeerFrameDecoder decoder;
        private final Cancellable deadline;

        Incoming(Channel channel) {
            this.channel = channel;
            handshake = PeerHandshake.called(transport.config(), channel, transport.nonce(), this);
            decoder = new PeerFrameDecoder(handshake);
            channel.pipeline().addLast(decoder, PeerErrors.INSTANCE);
            deadline = transport
                    .executorOf(channel)
                    .schedule(
                            () -> handshake.broken("the handshake takes too long"),
                            TimeUnit.SECONDS.toNanos(PeerClient.HANDSHAKE_SECONDS_MAX));
        }

        @Override
        public void proved(String peer, long peerBoot, boolean isProbe) {
            deadline.cancel();
            if (isProbe) {
                handshake.welcome();
                return;
            }
            transport.established(channel, decoder, new NodeName(peer), peerBoot, handshake::welcome);
        }

        @Override
        public void refused(String peer, PeerRefusal reason) {
            deadline.cancel();
            transport.refused(peer, reason);
            decoder.stop();
            channel.close();
        }

        @Override
        public void failed(String reason) {
            deadline.cancel();
            LOG.debug("no handshake with {}: {}", channel.remoteAddress(), reason);
            decoder.stop();
            channel.close();
        }
    }
}
