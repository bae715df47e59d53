package io.leveret.node;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leveret.model.NodeName;
import io.leveret.node.cluster.peer.NettyPeerTransport;
import io.leveret.node.cluster.peer.PeerConfig;
import io.leveret.node.runtime.EventLoops;
import io.leveret.node.runtime.HeldTimers;
import io.leveret.node.runtime.SecureRandomness;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class AgreedEverywhereTest {
    private static final NodeName A = new NodeName("a");
    private static final NodeName B = new NodeName("b");

    private final Queue<String> fatal = new ConcurrentLinkedQueue<>();
    private final End a = new End(A, B);
    private final End b = new End(B, A);

    /** One node; what it has applied is said by the test. */
    private final class End {
        final EventLoops loops = new EventLoops(2, (what, cause) -> fatal.add(what + ": " + cause));
        final NettyPeerTransport transport;
        final Queue<CompletableFuture<String>> asked = new ConcurrentLinkedQueue<>();
        final HeldTimers timers = new HeldTimers(loops.next(), false);
        final AgreedEverywhere everywhere;
        final int port;

        End(NodeName name, NodeName other) {
            transport = new NettyPeerTransport(
                    new PeerConfig(name, 1, new InetSocketAddress("127.0.0.1", 0), "secret".getBytes(UTF_8), 10_000),
                    loops,
                    new SecureRandomness());
            everywhere = new AgreedEverywhere(
                    List.of(other),
                    () -> {
                        CompletableFuture<String> applied = new CompletableFuture<>();
                        asked.add(applied);
                        return applied;
                    },
                    transport,
                    timers);
            port = transport.start();
        }

        void know(NodeName name, End other) {
            transport.members(Map.of(name, new InetSocketAddress("127.0.0.1", other.port)));
        }
    }

    @AfterEach
    void noFaultAndClosed() {
        List.of(a, b).forEach(each -> each.transport.close());
        List.of(a, b).forEach(each -> each.loops.close());
        assertThat(fatal).isEmpty();
    }

    private void link() {
        b.know(A, a);
        a.know(B, b);
        await().until(() -> a.transport.link(B) != null && b.transport.link(A) != null);
    }

    private CompletableFuture<?> known() {
        return a.everywhere.known().toCompletableFuture();
    }

    private CompletableFuture<String> asked() {
        return await().until(b.asked::poll, asked -> asked != null);
    }

    @Test
    void waitsForAPeerThatHasNotAppliedIt() {
        link();
        CompletableFuture<?> known = known();
        CompletableFuture<String> applied = asked();
        assertThat(known).isNotDone();
        applied.complete("applied");
        await().until(known::isDone);
        await().untilAsserted(() -> assertThat(a.timers.held).isEmpty());
    }

    @Test
    void whoAsksLaterWaitsForAQuestionThatBeganLater() {
        link();
        CompletableFuture<?> first = known();
        CompletableFuture<String> ofFirst = asked();
        CompletableFuture<?> second = known();
        CompletableFuture<?> third = known();
        ofFirst.complete("applied");
        await().until(first::isDone);
        CompletableFuture<String> ofOthers = asked();
        assertThat(second).isNotDone();
        assertThat(third).isNotDone();
        ofOthers.complete("applied");
        await().until(() -> second.isDone() && third.isDone());
        assertThat(b.asked).isEmpty();
    }

    @Test
    void aPeerThatIsSilentIsWaitedForNoLongerThanTheBound() {
        link();
        CompletableFuture<?> known = known();
        asked();
        assertThat(known).isNotDone();
        HeldTimers.Timer timer = a.timers.held.remove();
        assertThat(timer.nanos()).isEqualTo(TimeUnit.SECONDS.toNanos(5));
        a.timers.execute(timer.task());
        await().until(known::isDone);
        assertThat(known).isNotCompletedExceptionally();
    }

    @Test
    void aPeerThatCannotTellIsNotWaitedFor() {
        link();
        CompletableFuture<?> known = known();
        asked().completeExceptionally(new IllegalStateException("no majority"));
        await().until(known::isDone);
        assertThat(known).isNotCompletedExceptionally();
    }

    @Test
    void aPeerThatIsNotLinkedIsNotWaitedFor() {
        CompletableFuture<?> known = known();
        await().until(known::isDone);
        assertThat(a.timers.held).isEmpty();
        assertThat(b.asked).isEmpty();
    }

    @Test
    void aLinkThatEndsEndsTheWaiting() {
        link();
        CompletableFuture<?> known = known();
        asked();
        b.transport.close();
        await().until(known::isDone);
    }
}
