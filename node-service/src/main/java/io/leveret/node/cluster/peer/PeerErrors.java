package io.leveret.node.cluster.peer;

import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.DecoderException;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Last of the pipeline: a socket that fails is closed, and its end is what the link tells. */
@ChannelHandler.Sharable
final class PeerErrors extends ChannelInboundHandlerAdapter {
    static final PeerErrors INSTANCE = new PeerErrors();
    private static final Logger LOG = LoggerFactory.getLogger(PeerErrors.class);

    private PeerErrors() {}

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        if (cause instanceof IOException || cause instanceof DecoderException) { // the latter is TLS that failed
            LOG.debug("connection with {} failed", context.channel().remoteAddress(), cause);
        } else {
            LOG.error(
                    "connection with {} closed after a fault", context.channel().remoteAddress(), cause);
        }
        context.close();
    }
}
