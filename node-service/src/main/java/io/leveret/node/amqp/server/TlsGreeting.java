package io.leveret.node.amqp.server;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ssl.NotSslRecordException;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stands between the TLS handler and the connection until the handshake is done: only then the connection begins, so that a
 * client that speaks no TLS, or cannot prove who it is, costs a socket and a line in the log.
 */
final class TlsGreeting extends ChannelInboundHandlerAdapter {
    private static final Logger LOG = LoggerFactory.getLogger(TlsGreeting.class);

    private boolean isOver;

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        // Told on when the handshake is done.
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event instanceof SslHandshakeCompletionEvent done) {
            if (done.isSuccess()) {
                ctx.fireChannelActive();
                ctx.pipeline().remove(this);
            } else {
                end(ctx, done.cause());
            }
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        end(ctx, cause);
    }

    private void end(ChannelHandlerContext ctx, Throwable cause) {
        if (isOver) {
            return; // the same failure, told a second time
        }
        isOver = true;
        Throwable root = cause;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        LOG.warn("TLS handshake with {} failed: {}", ctx.channel().remoteAddress(), reason(root));
        ctx.close();
    }

    /** One line, whatever the client sent. */
    private static String reason(Throwable cause) {
        if (cause instanceof NotSslRecordException) {
            return "the client does not speak TLS";
        } else if (cause instanceof IOException && cause.getMessage() == null) {
            return "the client left";
        }
        return String.valueOf(cause.getMessage() == null ? cause : cause.getMessage())
                .replaceAll("\\p{Cntrl}+", " ");
    }
}
