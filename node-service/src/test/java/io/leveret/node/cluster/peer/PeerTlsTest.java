package io.leveret.node.cluster.peer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leveret.model.NodeName;
import io.leveret.node.runtime.EventLoops;
import io.leveret.node.runtime.FaultHandler;
import io.leveret.node.runtime.RecordedFaults;
import io.leveret.node.runtime.SecureRandomness;
import io.leveret.node.runtime.SerialExecutor;
import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class PeerTlsTest {
    private static final NodeName A = new NodeName("a");
    private static final NodeName B = new NodeName("b");
    private static final int SERVICE = 7;

    private final RecordedFaults faults = new RecordedFaults();
    private final ExecutorService handshakes = Executors.newFixedThreadPool(2);
    private final List<End> ends = new ArrayList<>();
    private final X509Bundle authority;

    PeerTlsTest() throws Exception {
        authority = authority("CN=Cluster CA");
    }

    private static X509Bundle authority(String name) throws Exception {
        return new CertificateBuilder()
                .subject(name)
                .setIsCertificateAuthority(true)
                .buildSelfSigned();
    }

    private static X509Bundle node(X509Bundle issuer, InetAddress host) throws Exception {
        return new CertificateBuilder().subject("CN=node").addSanIpAddress(host).buildIssuedBy(issuer);
    }

    private PeerTls tls(X509Bundle own) throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(
                own.toKeyManagerFactory().getKeyManagers(),
                authority.toTrustManagerFactory().getTrustManagers(),
                new SecureRandom());
        return new PeerTls(() -> context, handshakes);
    }

    private static final class End {
        final EventLoops loops;
        final Queue<String> frames = new ConcurrentLinkedQueue<>();
        final NettyPeerTransport transport;
        final int port;

        End(NodeName name, @Nullable PeerTls tls, FaultHandler faults) {
            loops = new EventLoops(1, faults);
            transport = new NettyPeerTransport(
                    new PeerConfig(
                            name,
                            3,
                            new InetSocketAddress("127.0.0.1", 0),
                            "a secret of the cluster".getBytes(UTF_8),
                            10_000,
                            tls),
                    loops,
                    new SecureRandomness());
            transport.register(
                    SERVICE,
                    (link, trafficClass, payload) ->
                            frames.add(UTF_8.decode(payload).toString()));
            port = transport.start();
        }
    }

    private End end(NodeName name, @Nullable PeerTls tls) {
        End end = new End(name, tls, faults);
        ends.add(end);
        return end;
    }

    @AfterEach
    void close() {
        ends.forEach(each -> each.transport.close());
        ends.forEach(each -> each.loops.close());
        handshakes.shutdownNow();
        faults.assertNone();
    }

    @Test
    void framesPassInBothDirections() throws Exception {
        InetAddress here = InetAddress.getByName("127.0.0.1");
        End a = end(A, tls(node(authority, here)));
        End b = end(B, tls(node(authority, here)));
        a.transport.members(Map.of(B, new InetSocketAddress("127.0.0.1", b.port)));
        PeerLink toB = await().until(() -> a.transport.link(B), link -> link != null);
        PeerLink toA = await().until(() -> b.transport.link(A), link -> link != null);
        String large = "x".repeat(300_000);
        send(a, toB, large);
        send(a, toB, "second");
        send(b, toA, "back");
        await().untilAsserted(() -> assertThat(b.frames).containsExactly(large, "second"));
        await().untilAsserted(() -> assertThat(a.frames).containsExactly("back"));
    }

    private static void send(End from, PeerLink link, String text) {
        SerialExecutor caller = from.loops.next();
        caller.execute(
                () -> link.outbox(caller).send(PeerClass.CLIENT, SERVICE, ByteBuffer.wrap(text.getBytes(UTF_8))));
    }

    @Test
    void aNodeWithoutTlsOfAnotherAuthorityOrOfAnotherHostIsNoPeer() throws Exception {
        InetAddress here = InetAddress.getByName("127.0.0.1");
        End a = end(A, tls(node(authority, here)));
        End plain = end(B, null);
        End stranger = end(new NodeName("c"), tls(node(authority("CN=Other CA"), here)));
        End elsewhere = end(new NodeName("d"), tls(node(authority, InetAddress.getByName("10.9.8.7"))));
        End good = end(new NodeName("e"), tls(node(authority, here)));
        // The first handshake of a busy machine may take longer than it may.
        await().until(() -> probe(a, good), PeerProbe.Accepted.class::isInstance);
        assertThat(probe(a, plain)).isInstanceOf(PeerProbe.Unreachable.class);
        assertThat(probe(a, stranger)).isInstanceOf(PeerProbe.Unreachable.class);
        assertThat(probe(a, elsewhere)).isInstanceOf(PeerProbe.Unreachable.class);
        assertThat(probe(plain, good)).isInstanceOf(PeerProbe.Unreachable.class);
    }

    private static PeerProbe probe(End from, End to) throws Exception {
        return from.transport
                .probe(new InetSocketAddress("127.0.0.1", to.port))
                .toCompletableFuture()
                .get(15, TimeUnit.SECONDS);
    }
}
