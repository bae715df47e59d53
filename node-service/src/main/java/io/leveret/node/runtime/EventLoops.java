package io.leveret.node.runtime;

import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The event loops of a node: sockets and queues share them, and there is no other pool on the path of a message. Owned by
 * the composition root, which closes it last.
 */
public final class EventLoops implements AutoCloseable {
    private static final long STOP_SECONDS_MAX = 10;

    private final MultiThreadIoEventLoopGroup group;
    private final Map<EventLoop, LoopExecutor> executors = new IdentityHashMap<>();
    private final List<SerialExecutor> all = new ArrayList<>();
    private final AtomicInteger next = new AtomicInteger();

    /** @param count how many loops, 1 or more; one per core is right */
    public EventLoops(int count, FaultHandler faults) {
        IoHandlerFactory handlers = Epoll.isAvailable() ? EpollIoHandler.newFactory() : NioIoHandler.newFactory();
        group = new MultiThreadIoEventLoopGroup(count, new DefaultThreadFactory("leveret-loop", true), handlers);
        group.forEach(each -> {
            LoopExecutor executor = new LoopExecutor((EventLoop) each, faults);
            executors.put((EventLoop) each, executor);
            all.add(executor);
        });
    }

    /** The loops in turn, for things that live on one loop. Any thread. */
    public SerialExecutor next() {
        return all.get(Math.floorMod(next.getAndIncrement(), all.size()));
    }

    public List<SerialExecutor> all() {
        return List.copyOf(all);
    }

    /** The executor of the loop that serves this socket. */
    public SerialExecutor of(Channel channel) {
        LoopExecutor executor = executors.get(channel.eventLoop());
        if (executor == null) {
            throw new IllegalStateException("a channel of another group");
        }
        return executor;
    }

    /** For bootstraps. */
    public MultiThreadIoEventLoopGroup group() {
        return group;
    }

    public static Class<? extends ServerChannel> serverChannelType() {
        return Epoll.isAvailable() ? EpollServerSocketChannel.class : NioServerSocketChannel.class;
    }

    public static Class<? extends Channel> clientChannelType() {
        return Epoll.isAvailable() ? EpollSocketChannel.class : NioSocketChannel.class;
    }

    /** Runs what was given, then stops; waits at most ten seconds. */
    @Override
    public void close() {
        group.shutdownGracefully(0, STOP_SECONDS_MAX, TimeUnit.SECONDS).awaitUninterruptibly();
    }
}
