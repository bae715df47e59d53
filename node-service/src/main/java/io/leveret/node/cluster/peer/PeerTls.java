package io.leveret.node.cluster.peer;

import io.netty.channel.Channel;
import io.netty.handler.ssl.SslHandler;
import java.net.InetSocketAddress;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;

/**
 * TLS of the links: both ends show a certificate of the cluster's authority, and that of the called one must name the host it
 * was called at. The proof of the secret follows inside.
 *
 * @param contexts gives the context of now for each new link; any thread
 * @param handshakes runs the computations of handshakes
 */
public record PeerTls(Supplier<SSLContext> contexts, Executor handshakes) {
    private static final String[] PROTOCOLS = {"TLSv1.3", "TLSv1.2"};

    /** The first handler of a connection that came. */
    void called(Channel channel) {
        SSLEngine engine = contexts.get().createSSLEngine();
        engine.setUseClientMode(false);
        engine.setNeedClientAuth(true);
        add(channel, engine);
    }

    /** The first handler of a connection that was made. @return what completes with its TLS handshake */
    SslHandler calling(Channel channel, InetSocketAddress to) {
        SSLEngine engine = contexts.get().createSSLEngine(to.getHostString(), to.getPort());
        engine.setUseClientMode(true);
        SSLParameters parameters = engine.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        engine.setSSLParameters(parameters);
        return add(channel, engine);
    }

    private SslHandler add(Channel channel, SSLEngine engine) {
        engine.setEnabledProtocols(PROTOCOLS);
        SslHandler handler = new SslHandler(engine, handshakes);
        handler.setHandshakeTimeout(PeerClient.HANDSHAKE_SECONDS_MAX, TimeUnit.SECONDS);
        channel.pipeline().addLast(handler);
        return handler;
    }
}
