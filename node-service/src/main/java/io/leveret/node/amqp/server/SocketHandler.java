package io.leveret.node.amqp.server;

import io.leveret.node.amqp.wire.AmqpException;
import io.leveret.node.runtime.FaultHandler;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.codec.DecoderException;
import java.io.IOException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Between the socket's pipeline and the connection: keeps the bytes of the frame that is not complete yet. */
final class SocketHandler extends ChannelInboundHandlerAdapter {
    private static final Logger LOG = LoggerFactory.getLogger(SocketHandler.class);

    private final Function<ChannelHandlerContext, ConnectionHandler> connections;
    private final FaultHandler faults;

    @Nullable
    private ConnectionHandler connection;

    @Nullable
    private ByteBuf rest;

    SocketHandler(Function<ChannelHandlerContext, ConnectionHandler> connections, FaultHandler faults) {
        this.connections = connections;
        this.faults = faults;
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        if (ctx.channel().remoteAddress() == null || ctx.channel().localAddress() == null) {
            ctx.close(); // gone before it was looked at
            return;
        }
        connection = connections.apply(ctx);
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ByteBuf in = (ByteBuf) message;
        ConnectionHandler open = connection;
        if (open == null) {
            in.release();
            return;
        }
        int newBytes = in.readableBytes();
        ByteBuf before = rest;
        rest = null;
        ByteBuf all = before == null ? in : ByteToMessageDecoder.MERGE_CUMULATOR.cumulate(ctx.alloc(), before, in);
        open.received(all, newBytes);
        if (all.isReadable() && connection != null) {
            // What was taken must not stay in front of it: a busy client's reads seldom end where a frame does.
            rest = all.discardSomeReadBytes();
        } else {
            all.release();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        ConnectionHandler open = connection;
        connection = null;
        if (rest != null) {
            rest.release();
            rest = null;
        }
        if (open != null) {
            open.disconnected();
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        if (connection != null && ctx.channel().isWritable()) {
            connection.writable();
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (cause instanceof AmqpException fault && connection != null) {
            connection.fail(fault);
        } else if (cause instanceof IOException || cause instanceof DecoderException) {
            LOG.info("connection from {} ended: {}", ctx.channel().remoteAddress(), cause.toString());
            ctx.close();
        } else {
            faults.fatal("a client connection broke an invariant", cause);
        }
    }
}
