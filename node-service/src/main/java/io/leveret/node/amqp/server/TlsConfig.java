package io.leveret.node.amqp.server;

import java.net.InetSocketAddress;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;

/**
 * The TLS listener: where it listens, and how it knows its clients.
 *
 * @param address where to listen; port 0 takes a free one
 * @param contexts gives the context of now for each new connection: what is reloaded counts from the next connection on. Any
 *     thread; must not block
 * @param handshakes runs the computations of handshakes, which are too long for an event loop; refuses what is too much
 */
public record TlsConfig(
        InetSocketAddress address,
        Supplier<SSLContext> contexts,
        ClientCertificates clientCertificates,
        LoginFrom loginFrom,
        Executor handshakes) {

    /** Whether clients are asked for a certificate. One that is shown must be signed by a known authority. */
    public enum ClientCertificates {
        NOT_ASKED,
        WANTED,
        NEEDED
    }

    /** Which part of a client's certificate is its user name (mechanism EXTERNAL). */
    public enum LoginFrom {
        DISTINGUISHED_NAME,
        COMMON_NAME
    }
}
