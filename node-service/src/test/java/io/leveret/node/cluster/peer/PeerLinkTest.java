package io.leveret.node.cluster.peer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leveret.model.NodeName;
import io.leveret.node.runtime.EventLoops;
import io.leveret.node.runtime.SecureRandomness;
import io.leveret.node.runtime.SerialExecutor;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class PeerLinkTest {
    private static final int SERVICE = 7;
    private static final NodeName A = new NodeName("a");
    private static final NodeName B = new NodeName("b");

    private final List<End> ends = new ArrayList<>();

    /** One node's end, with loops of its own. */
    private final class End {
        final Queue<String> fatal = new ConcurrentLinkedQueue<>();
        final EventLoops loops = new EventLoops(2, (what, cause) -> fatal.add(what + ": " + cause));
        final NettyPeerTransport transport;
        final Queue<String> frames = new ConcurrentLinkedQueue<>();
        final Queue<String> events = new ConcurrentLinkedQueue<>();
        final int port;

        End(NodeName name, String secret, long silenceMillis) {
            transport = new NettyPeerTransport(
                    new PeerConfig(
                            name, 3, new InetSocketAddress("127.0.0.1", 0), secret.getBytes(UTF_8), silenceMillis),
                    loops,
                    new SecureRandomness());
            transport.register(
                    SERVICE, (link, trafficClass, payload) -> frames.add(trafficClass + " " + UTF_8.decode(payload)));
            transport.listen(new PeerListener() {
                @Override
                public void linkUp(PeerLink link) {
                    events.add("up " + link.peer());
                }

                @Override
                public void linkDown(PeerLink link) {
                    events.add("down " + link.peer());
                }

                @Override
                public void refused(String peer, PeerRefusal reason) {
                    events.add("refused " + peer + " " + reason);
                }
            });
            port = transport.start();
            ends.add(this);
        }

        void know(NodeName name, End other) {
            transport.members(Map.of(name, new InetSocketAddress("127.0.0.1", other.port)));
        }

        PeerLink link(NodeName peer) {
            return await().until(() -> transport.link(peer), link -> link != null && !events.isEmpty());
        }

        void send(NodeName peer, PeerClass trafficClass, int service, byte[]... payloads) {
            PeerLink link = link(peer);
            SerialExecutor caller = loops.next();
            caller.execute(() -> {
                for (byte[] each : payloads) {
                    link.outbox(caller).send(trafficClass, service, ByteBuffer.wrap(each));
                }
            });
        }
    }

    @AfterEach
    void noFaultAndClosed() {
        ends.forEach(each -> each.transport.close());
        ends.forEach(each -> each.loops.close());
        ends.forEach(each -> assertThat(each.fatal).isEmpty());
    }

    private End[] pair() {
        End a = new End(A, "secret", 10_000);
        End b = new End(B, "secret", 10_000);
        b.know(A, a);
        a.know(B, b);
        return new End[] {a, b};
    }

    private static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }

    @Test
    void framesArriveInOrderInBothDirections() {
        End[] pair = pair();
        List<String> expected = new ArrayList<>();
        byte[][] payloads = new byte[2_000][];
        for (int i = 0; i < payloads.length; i++) {
            payloads[i] = bytes("frame " + i + "x".repeat(i % 300));
            expected.add("LIVE " + new String(payloads[i], UTF_8));
        }
        pair[0].send(B, PeerClass.LIVE, SERVICE, payloads);
        pair[1].send(A, PeerClass.LIVE, SERVICE, payloads);
        await().untilAsserted(() -> assertThat(pair[1].frames).containsExactlyElementsOf(expected));
        await().untilAsserted(() -> assertThat(pair[0].frames).containsExactlyElementsOf(expected));
        assertThat(pair[0].link(B).peerBoot()).isEqualTo(3);
    }

    @Test
    void framesLargerThanAReadArriveWhole() {
        End[] pair = pair();
        byte[] large = bytes("y".repeat(5_000_000));
        pair[0].send(B, PeerClass.BACKFILL, SERVICE, large, bytes("end"));
        await().untilAsserted(() -> assertThat(pair[1].frames).hasSize(2));
        assertThat(pair[1].frames.remove()).hasSize("BACKFILL ".length() + large.length);
        assertThat(pair[1].frames.remove()).isEqualTo("BACKFILL end");
    }

    @Test
    void aWrongSecretIsRefusedAndBothSidesKnow() {
        End a = new End(A, "secret", 10_000);
        End b = new End(B, "another", 10_000);
        a.know(B, b);
        await().untilAsserted(() -> assertThat(a.events).contains("refused b WRONG_SECRET"));
        await().untilAsserted(() -> assertThat(b.events).contains("refused a WRONG_SECRET"));
        assertThat(a.transport.link(B)).isNull();
        assertThat(b.transport.link(A)).isNull();

        assertThat(probe(b, a)).isEqualTo(new PeerProbe.Refused("a", PeerRefusal.WRONG_SECRET));
    }

    /** What is answered: a machine that is slow for longer than a handshake may take makes the other unreachable. */
    private static PeerProbe probe(End from, End to) {
        InetSocketAddress address = new InetSocketAddress("127.0.0.1", to.port);
        return await().until(
                        () -> from.transport
                                .probe(address)
                                .toCompletableFuture()
                                .get(30, TimeUnit.SECONDS),
                        answer -> !(answer instanceof PeerProbe.Unreachable));
    }

    @Test
    void aProbeIsAnsweredWithoutBecomingALink() {
        End a = new End(A, "secret", 10_000);
        End b = new End(B, "secret", 10_000);
        assertThat(probe(b, a)).isEqualTo(new PeerProbe.Accepted(A));
        assertThat(a.events).isEmpty();
    }

    @Test
    void aNodeThatIsNotTheOneCalledIsRefused() {
        End a = new End(A, "secret", 10_000);
        End b = new End(B, "secret", 10_000);
        a.know(new NodeName("c"), b);
        await().untilAsserted(() -> assertThat(a.events).contains("refused c WRONG_NAME"));
        assertThat(b.transport.link(A)).isNull();
    }

    @Test
    void framesThatNobodyReleasesStopTheSenderAtItsWindowAndNoOtherClass() {
        End a = new End(A, "secret", 10_000);
        End b = new End(B, "secret", 10_000);
        AtomicLong unreleased = new AtomicLong();
        b.transport.register(SERVICE + 1, new PeerService() {
            @Override
            public void received(PeerLink link, PeerClass trafficClass, ByteBuffer payload) {
                unreleased.addAndGet(payload.remaining());
            }

            @Override
            public boolean releasesItself() {
                return true;
            }
        });
        a.know(B, b);
        byte[][] payloads = new byte[200][50_000];
        a.send(B, PeerClass.BACKFILL, SERVICE + 1, payloads);
        PeerLink link = a.link(B);
        long window = PeerClass.BACKFILL.windowBytes;
        await().untilAsserted(() -> assertThat(unreleased.get()).isGreaterThanOrEqualTo(window));
        assertThat(link.isWritable(PeerClass.BACKFILL)).isFalse();
        a.send(B, PeerClass.LIVE, SERVICE, bytes("passes"));
        await().untilAsserted(() -> assertThat(b.frames).contains("LIVE passes"));
        assertThat(unreleased.get()).isLessThan(window + 64 * 1024);

        long released = 0;
        long all = 200 * 50_000L;
        while (released < all) {
            long known = unreleased.get();
            b.link(A).release(PeerClass.BACKFILL, (int) (known - released));
            released = known;
        }
        assertThat(unreleased.get()).isEqualTo(all);
        await().until(() -> link.isWritable(PeerClass.BACKFILL));
    }

    @Test
    void aPeerThatTakesTooLittleLosesTheLinkBeforeMemoryIsFull() {
        End a = new End(A, "secret", 10_000);
        End b = new End(B, "secret", 10_000);
        b.transport.register(SERVICE + 1, new PeerService() {
            @Override
            public void received(PeerLink link, PeerClass trafficClass, ByteBuffer payload) {}

            @Override
            public boolean releasesItself() {
                return true;
            }
        });
        a.transport.waitingBytesMax(1 << 20);
        a.know(B, b);
        PeerLink link = a.link(B);
        int frames = (PeerClass.BACKFILL.windowBytes + (2 << 20)) / 50_000;
        a.send(B, PeerClass.BACKFILL, SERVICE + 1, new byte[frames][50_000]);
        await().until(() -> !link.isOpen());
        await().untilAsserted(() -> assertThat(a.events).containsSubsequence("up b", "down b", "up b"));
    }

    @Test
    void oneFrameMayBeLargerThanAllThatMayWait() {
        End a = new End(A, "secret", 10_000);
        End b = new End(B, "secret", 10_000);
        List<Integer> held = new CopyOnWriteArrayList<>();
        b.transport.register(SERVICE + 1, new PeerService() {
            @Override
            public void received(PeerLink link, PeerClass trafficClass, ByteBuffer payload) {
                held.add(payload.remaining());
            }

            @Override
            public boolean releasesItself() {
                return true;
            }
        });
        a.transport.waitingBytesMax(1 << 20);
        a.know(B, b);
        int window = PeerClass.BACKFILL.windowBytes;
        a.send(B, PeerClass.BACKFILL, SERVICE + 1, new byte[window], new byte[3 << 20]);
        await().until(() -> held.size() == 1);
        b.link(A).release(PeerClass.BACKFILL, window);
        await().untilAsserted(() -> assertThat(held).containsExactly(window, 3 << 20));
        assertThat(a.events).containsExactly("up b");
    }

    @Test
    void aLinkThatEndsIsMadeAgainWithAnotherNumber() {
        End[] pair = pair();
        PeerLink first = pair[1].link(A);
        first.close("test");
        await().untilAsserted(() -> assertThat(pair[1].events).containsExactly("up a", "down a", "up a"));
        await().untilAsserted(() -> assertThat(pair[0].events).containsExactly("up b", "down b", "up b"));
        assertThat(pair[1].link(A).number()).isNotEqualTo(first.number());
        assertThat(first.isOpen()).isFalse();
        pair[1].send(A, PeerClass.CLIENT, SERVICE, bytes("again"));
        await().untilAsserted(() -> assertThat(pair[0].frames).contains("CLIENT again"));
    }

    @Test
    void aPeerThatSaysNothingIsGivenUp() throws Exception {
        End a = new End(A, "secret", 400);
        End b = new End(B, "secret", 10_000);
        a.know(B, b);
        a.link(B);
        CountDownLatch stall = new CountDownLatch(1);
        b.loops.all().forEach(loop -> loop.execute(() -> awaitQuietly(stall)));
        await().untilAsserted(() -> assertThat(a.events).contains("down b"));
        stall.countDown();
        await().untilAsserted(() -> assertThat(a.events).containsSubsequence("down b", "up b"));
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await(20, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void anIdleLinkStays() {
        End a = new End(A, "secret", 200);
        End b = new End(B, "secret", 200);
        a.know(B, b);
        SerialExecutor loop = a.loops.next();
        AtomicInteger ticks = new AtomicInteger();
        PeerLink[] seen = new PeerLink[1];
        Runnable[] tick = new Runnable[1];
        tick[0] = () -> {
            // A machine that stands still may end a link; no link of one that goes on ends, however little is said.
            PeerLink link = a.transport.link(B);
            ticks.set(link != null && link == seen[0] && link.isOpen() ? ticks.get() + 1 : 0);
            seen[0] = link;
            loop.schedule(tick[0], TimeUnit.MILLISECONDS.toNanos(100));
        };
        loop.execute(tick[0]);
        await().until(() -> ticks.get() > 8);
    }

    @Test
    void questionsAreAnsweredRefusedOrOfUnknownOutcome() throws Exception {
        End a = new End(A, "secret", 10_000);
        End b = new End(B, "secret", 10_000);
        PeerRequests asking =
                PeerRequests.register(a.transport, 9, a.loops.next(), (asker, question) -> new CompletableFuture<>());
        PeerRequests.register(b.transport, 9, b.loops.next(), (asker, question) -> {
            String text = UTF_8.decode(question).toString();
            return switch (text) {
                case "refuse" -> CompletableFuture.failedFuture(new IllegalStateException("no"));
                case "ignore" -> new CompletableFuture<>();
                default -> CompletableFuture.completedFuture(ByteBuffer.wrap(bytes(asker + " said " + text)));
            };
        });
        assertThat(ask(asking, "early", 1_000)).isInstanceOf(PeerAnswer.NotSent.class);
        a.know(B, b);
        a.link(B);
        assertThat(ask(asking, "hello", 30_000))
                .isInstanceOfSatisfying(
                        PeerAnswer.Answered.class,
                        answer -> assertThat(UTF_8.decode(answer.payload()).toString())
                                .isEqualTo("a said hello"));
        assertThat(ask(asking, "refuse", 30_000)).isEqualTo(new PeerAnswer.Refused("no"));
        assertThat(ask(asking, "ignore", 50)).isEqualTo(new PeerAnswer.Unknown("no answer in time"));
        var unanswered = asking.ask(B, ByteBuffer.wrap(bytes("ignore")), TimeUnit.SECONDS.toNanos(60));
        PeerLink link = a.link(B);
        link.close("test");
        assertThat(unanswered.toCompletableFuture().get(30, TimeUnit.SECONDS)).isInstanceOf(PeerAnswer.Unknown.class);
    }

    private static PeerAnswer ask(PeerRequests asking, String question, long millis) throws Exception {
        return asking.ask(B, ByteBuffer.wrap(bytes(question)), TimeUnit.MILLISECONDS.toNanos(millis))
                .toCompletableFuture()
                .get(40, TimeUnit.SECONDS);
    }
}
