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
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/** The AMQP listener of a node. */
public final class AmqpServer implements AutoCloseable {
    private static final int BACKLOG = 1024;
    /** One read is one unit of work: large enough for many messages, small enough to be fair among connections. */
    private static final AdaptiveRecvByteBufAllocator READ_SIZES =
            new AdaptiveRecvByteBufAllocator(1 << 10, 16 << 10, 128 << 10);

    private static final WriteBufferWaterMark WATER_MARKS = new WriteBufferWaterMark(128 << 10, 512 << 10);

    private final AmqpServerConfig config;
    private final Services services;
    private final EventLoops loops;
    private final NodeClock clock;
    private final FaultHandler faults;
    private final ConnectionRegistry registry;

    @Nullable
    private Channel listener;

    public AmqpServer(
            AmqpServerConfig config, Services services, EventLoops loops, NodeClock clock, FaultHandler faults) {
        this.config = config;
        this.services = services;
        this.loops = loops;
        this.clock = clock;
        this.faults = faults;
        this.registry = new ConnectionRegistry(new Admission(
                config.limits(),
                services.permissions(),
                services.usage(),
                config.ownerPrefix().hashCode()));
    }

    /** What connections work with. */
    public record Services(
            VirtualHosts vhosts,
            Authenticator authenticator,
            Permissions permissions,
            ReplyRoutes replies,
            UsageElsewhere usage) {}

    /** The connections of this server. */
    public ConnectionRegistry connections() {
        return registry;
    }

    /** Listens. Blocks until it does; not for event loops. @return the port */
    public int start() {
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
                        initPipeline(socket);
                    }
                });
        Channel bound = bootstrap.bind(config.address()).syncUninterruptibly().channel();
        listener = bound;
        return ((InetSocketAddress) bound.localAddress()).getPort();
    }

    /** The whole pipeline of a client's socket. */
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
        if (listener != null) {
            listener.close().syncUninterruptibly();
            listener = null;
        }
    }
}
