package io.leveret.node.amqp.server;

import io.leveret.node.broker.auth.Authenticator;
import io.leveret.node.broker.auth.Permissions;
import io.leveret.node.broker.auth.UsageElsewhere;
import io.leveret.node.broker.vhost.ReplyRoutes;
import io.leveret.node.broker.vhost.VirtualHosts;
import io.leveret.node.runtime.EventLoops;
import io.leveret.node.runtime.FaultHandler;
import io.leveret.node.runtime.NodeClock;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.handler.ssl.SslHandler;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import javax.net.ssl.SSLEngine;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The AMQP listeners of a node: one without TLS, and one with it if it is configured. */
public final class AmqpServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(AmqpServer.class);
    private static final String[] TLS_PROTOCOLS = {"TLSv1.3", "TLSv1.2"};
    private static final int BACKLOG = 1024;
    /** One read is one unit of work: large enough for many messages, small enough to be fair among connections. */
    private static final AdaptiveRecvByteBufAllocator READ_SIZES =
            new AdaptiveRecvByteBufAllocator(1 << 10, 16 << 10, 128 << 10);

    /** A client that takes longer is not one, or is too far away to be served. */
    private static final int TLS_HANDSHAKE_SECONDS_MAX = 5;

    private static final WriteBufferWaterMark WATER_MARKS = new WriteBufferWaterMark(128 << 10, 512 << 10);

    private final AmqpServerConfig config;
    private final Services services;
    private final EventLoops loops;
    private final NodeClock clock;
    private final FaultHandler faults;
    private final ConnectionRegistry registry;

    private final List<Channel> listeners = new ArrayList<>();
    private int tlsPort;

    public AmqpServer(
            AmqpServerConfig config, Services services, EventLoops loops, NodeClock clock, FaultHandler faults) {
        this.config = config;
        this.services = services;
        this.loops = loops;
        this.clock = clock;
        this.faults = faults;
        long heapBytes = Runtime.getRuntime().maxMemory();
        Intake intake = Intake.of(heapBytes, services.isCongested());
        this.registry = new ConnectionRegistry(
                new Admission(
                        config.limits(),
                        services.permissions(),
                        services.usage(),
                        config.ownerPrefix().hashCode()),
                intake,
                new LargeBodies(LargeBodies.bytesMax(heapBytes), intake, loops.next()));
    }

    /** What connections work with. @param isCongested whether the disk is behind: publishers are pushed back */
    public record Services(
            VirtualHosts vhosts,
            Authenticator authenticator,
            Permissions permissions,
            ReplyRoutes replies,
            UsageElsewhere usage,
            BooleanSupplier isCongested) {}

    /** The connections of this server. */
    public ConnectionRegistry connections() {
        return registry;
    }

    /** Listens, for TLS too if it is configured. Blocks until it does; not for event loops. @return the port without TLS */
    public int start() {
        int port = listen(config.address(), this::initPipeline);
        LOG.info("AMQP connections are taken on port {}", port);
        TlsConfig tls = config.tls();
        if (tls != null) {
            tlsPort = listen(tls.address(), socket -> {
                socket.pipeline().addLast(tlsHandler(tls)).addLast(new TlsGreeting());
                initPipeline(socket);
            });
            LOG.info("AMQP connections with TLS are taken on port {}", tlsPort);
        }
        return port;
    }

    /** The port with TLS; 0 when there is none, or not yet. */
    public int tlsPort() {
        return tlsPort;
    }

    private int listen(InetSocketAddress address, Consumer<Channel> pipeline) {
        ServerBootstrap bootstrap = new ServerBootstrap()
                .group(loops.group())
                .channel(EventLoops.serverChannelType())
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .option(ChannelOption.SO_REUSEADDR, true)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.SO_KEEPALIVE, true)
                .childOption(ChannelOption.RECVBUF_ALLOCATOR, READ_SIZES)
                .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, WATER_MARKS)
                .childHandler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel socket) {
                        pipeline.accept(socket);
                    }
                });
        Channel bound = bootstrap.bind(address).syncUninterruptibly().channel();
        listeners.add(bound);
        return ((InetSocketAddress) bound.localAddress()).getPort();
    }

    private static SslHandler tlsHandler(TlsConfig tls) {
        SSLEngine engine = tls.contexts().get().createSSLEngine();
        engine.setUseClientMode(false);
        engine.setEnabledProtocols(TLS_PROTOCOLS);
        switch (tls.clientCertificates()) {
            case NEEDED -> engine.setNeedClientAuth(true);
            case WANTED -> engine.setWantClientAuth(true);
            default -> engine.setWantClientAuth(false);
        }
        SslHandler handler = new SslHandler(engine, tls.handshakes());
        handler.setHandshakeTimeout(TLS_HANDSHAKE_SECONDS_MAX, TimeUnit.SECONDS);
        return handler;
    }

    /** The whole pipeline of a client's socket; with TLS, its handlers stand before. */
    private void initPipeline(Channel socket) {
        socket.pipeline()
                .addLast(new SocketHandler(
                        ctx -> new ConnectionHandler(
                                ctx.channel(), config, services, registry, loops.of(ctx.channel()), clock),
                        faults));
    }

    /** Stops listening; connections stay ({@link ConnectionRegistry#closeAll}). */
    @Override
    public void close() {
        listeners.forEach(each -> each.close().syncUninterruptibly());
        listeners.clear();
    }
}
