package io.leveret.node.amqp.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.netty.util.ResourceLeakDetector;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

/**
 * Clients that say anything: sensible commands in a senseless order, frames with holes, bits turned over, ends that come at any
 * point. Whatever they do, they get frames back and nothing else, no loop sees an exception, and nothing stays behind: no
 * connection, channel, consumer or exclusive queue, no buffer of Netty's, and no heap. {@code -Dfuzz.seed} repeats a run, {@code
 * -Dfuzz.sessions} makes it longer.
 */
@Timeout(300)
class ConnectionFuzzTest {
    private static final int SESSIONS = Integer.getInteger("fuzz.sessions", 600);
    private static final int COMMANDS_MAX = 24;
    private static final long HEAP_GROWTH_MAX = 16 << 20;

    private static final List<String> COMMANDS = List.of(
            "channel.open",
            "channel.close 200 bye",
            "channel.close-ok",
            "channel.flow active",
            "channel.flow",
            "queue.declare {q} autoDelete",
            "queue.declare {q} exclusive",
            "queue.declare {q} passive",
            "queue.declare \"\" exclusive noWait",
            "queue.declare {q} {\"x-max-length\": 2, \"x-dead-letter-exchange\": \"\"}",
            "queue.declare {q} {\"x-message-ttl\": 1, \"x-expires\": 50}",
            "queue.bind {q} amq.topic #.{q}",
            "queue.bind \"\" amq.headers k {\"x-match\": \"any\", \"a\": 1}",
            "queue.unbind {q} amq.topic k",
            "queue.purge {q}",
            "queue.delete {q}",
            "exchange.declare {q} fanout autoDelete",
            "exchange.bind {q} amq.fanout k",
            "exchange.delete {q}",
            "publish \"\" {q}",
            "publish \"\" {q} mandatory",
            "publish amq.topic a.{q} {\"headers\": {\"CC\": [\"{q}\", \"b\"], \"BCC\": [\"{q}\"]}}",
            "publish \"\" {q} {\"expiration\": \"1\", \"delivery_mode\": 2}",
            "publish amq.fanout \"\" {\"reply_to\": \"amq.rabbitmq.reply-to\"}",
            "publish nosuch k",
            "basic.publish \"\" {q}",
            "raw 0200010000000e 003c0000 0000000000000003 0000 ce",
            "raw 03000100000001 61 ce",
            "basic.consume {q} {n}",
            "basic.consume {q} {n} noAck",
            "basic.consume {q} \"\" exclusive",
            "basic.consume amq.rabbitmq.reply-to r noAck",
            "basic.cancel {n}",
            "basic.get {q}",
            "basic.get {q} noAck",
            "basic.ack {n}",
            "basic.ack 0 multiple",
            "basic.nack {n} requeue",
            "basic.reject {n}",
            "basic.qos 0 {n}",
            "basic.qos 0 {n} global",
            "basic.recover requeue",
            "basic.recover-async requeue",
            "confirm.select",
            "tx.select",
            "tx.commit",
            "tx.rollback",
            "connection.close 200 bye",
            "raw 08000000000000 ce");

    private final Random random = new Random(seed());

    private static long seed() {
        long seed = Long.getLong("fuzz.seed", 20_261_130L);
        System.out.println("fuzz.seed=" + seed);
        return seed;
    }

    @Test
    void nothingComesOfNonsense() throws IOException {
        ResourceLeakDetector.Level before = ResourceLeakDetector.getLevel();
        ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.PARANOID);
        Logger leaks = (Logger) LoggerFactory.getLogger(ResourceLeakDetector.class);
        ListAppender<ILoggingEvent> reports = new ListAppender<>();
        reports.start();
        leaks.addAppender(reports);
        try (MemoryBroker broker = new MemoryBroker()) {
            play(broker, SESSIONS / 3); // classes are loaded and buffers pooled after this
            awaitNothingLeft(broker);
            long heap = usedHeap();
            play(broker, SESSIONS);
            awaitNothingLeft(broker);
            assertThat(usedHeap() - heap).isLessThan(HEAP_GROWTH_MAX);
            try (RawClient client = RawClient.withChannel(broker.port, "guest")) {
                Commands.send(client, 1, "channel.flow active");
                assertThat(client.next()).isEqualTo("FlowOk[isActive=true]");
            }
        } finally {
            ResourceLeakDetector.setLevel(before);
            leaks.detachAppender(reports);
        }
        assertThat(reports.list).extracting(ILoggingEvent::getFormattedMessage).isEmpty();
    }

    @Test
    void aConnectionThatEndsWhileItDeclaresLeavesNoQueue() throws IOException {
        try (MemoryBroker broker = new MemoryBroker()) {
            AtomicInteger declared = new AtomicInteger();
            broker.definitions.addListener(
                    (delta, image) -> declared.addAndGet(delta.queuesDeclared().size()));
            for (int i = 0; i < 300; i++) {
                RawClient client = RawClient.withChannel(broker.port, "guest");
                ByteArrayOutputStream out = new ByteArrayOutputStream();
                if (i % 2 == 0) {
                    out.writeBytes(Commands.bytes(1, "publish \"\" nosuch"));
                }
                out.writeBytes(Commands.bytes(1, "queue.declare x" + i + " exclusive"));
                if (i % 3 == 0) {
                    out.writeBytes(Commands.bytes(0, "connection.close 200 bye"));
                }
                client.raw(out.toByteArray()).reset();
            }
            awaitNothingLeft(broker);
            await().untilAsserted(() -> assertThat(broker.queues).isEmpty());
            System.out.println("declared before the end: " + declared);
            assertThat(declared).as("queues that were there for a moment").hasPositiveValue();
        }
    }

    private void play(MemoryBroker broker, int sessions) throws IOException {
        int hungUp = 0;
        for (int i = 0; i < sessions; i++) {
            try (RawClient client = new RawClient(broker.port)) {
                client.patience(5);
                converse(client);
            } catch (SocketException e) {
                hungUp++; // its right, when we were wrong
            }
        }
        System.out.println("hung up while we wrote: " + hungUp + " of " + sessions);
        assertThat(hungUp).as("sessions that were cut short").isLessThan(sessions / 2);
    }

    private void converse(RawClient client) throws IOException {
        if (!opens(client)) {
            return;
        }
        byte[] all = session();
        int at = 0;
        while (at < all.length) {
            int length = Math.min(all.length - at, 1 + random.nextInt(random.nextBoolean() ? 16 : 4096));
            client.raw(Arrays.copyOfRange(all, at, at + length));
            at += length;
        }
        String seen = "";
        for (int i = random.nextInt(40); i > 0 && !seen.equals("end") && !seen.equals("silence"); i--) {
            seen = client.next();
        }
        if (random.nextBoolean()) {
            client.reset();
        }
    }

    /** The opening, which goes wrong now and then. */
    private boolean opens(RawClient client) throws IOException {
        byte[] header = "AMQP\0\0\11\1".getBytes(StandardCharsets.ISO_8859_1);
        boolean isWrong = random.nextInt(20) == 0;
        client.raw(isWrong ? damaged(header) : header);
        if (isWrong) {
            client.raw(session()); // nobody listens
            return false;
        }
        client.patience(30_000);
        assertThat(client.next()).startsWith("Start[");
        client.startOk("PLAIN", "\0guest\0guest", random.nextBoolean());
        assertThat(client.next()).startsWith("Tune[");
        client.raw(Commands.bytes(0, "connection.tune-ok 100 4096 0"));
        byte[] open = Commands.bytes(0, "connection.open /");
        client.raw(random.nextInt(20) == 0 ? damaged(open) : open);
        client.patience(5);
        client.next();
        client.raw(Commands.bytes(1, "channel.open")).raw(Commands.bytes(2, "channel.open"));
        return true;
    }

    private byte[] session() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (int i = 1 + random.nextInt(COMMANDS_MAX); i > 0; i--) {
            String text = COMMANDS.get(random.nextInt(COMMANDS.size()))
                    .replace("{q}", "q" + random.nextInt(6))
                    .replace("{n}", String.valueOf(random.nextInt(5)));
            byte[] frames = Commands.bytes(text.startsWith("connection") ? 0 : 1 + random.nextInt(20) / 18, text);
            out.writeBytes(random.nextInt(16) == 0 ? damaged(frames) : frames);
            if (text.startsWith("channel.close") && random.nextInt(4) != 0) {
                out.writeBytes(Commands.bytes(1, "channel.open"));
            }
        }
        return out.toByteArray();
    }

    private byte[] damaged(byte[] good) {
        byte[] bytes = good.clone();
        switch (random.nextInt(6)) {
            case 0 -> bytes = Arrays.copyOf(bytes, random.nextInt(bytes.length));
            case 1 -> bytes = Arrays.copyOf(bytes, bytes.length + random.nextInt(8));
            case 2 -> random.nextBytes(bytes);
            case 3 -> {
                int at = random.nextInt(bytes.length);
                System.arraycopy(bytes, at, bytes, 0, bytes.length - at);
            }
            default -> {
                for (int n = 1 + random.nextInt(3); n > 0; n--) {
                    bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
                }
            }
        }
        return bytes;
    }

    private static void awaitNothingLeft(MemoryBroker broker) {
        await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
            ConnectionRegistry.Churn churn = broker.server.connections().churn();
            assertThat(broker.server.connections().size()).isZero();
            assertThat(churn.connectionsClosed()).isEqualTo(churn.connectionsOpened());
            assertThat(churn.channelsClosed()).isEqualTo(churn.channelsOpened());
            broker.faults.assertNone();
            for (MemoryQueue each : broker.queues.values()) {
                assertThat(each.counts().toCompletableFuture().join().consumers())
                        .as("%s", each.name())
                        .isZero();
                assertThat(broker.definitions.image().owner(each.name()))
                        .as("%s", each.name())
                        .isNull();
            }
        });
        List.copyOf(broker.queues.keySet())
                .forEach(name -> broker.queue(name.value()).purge());
    }

    private static long usedHeap() {
        Runtime runtime = Runtime.getRuntime();
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 4; i++) {
            System.gc();
            least = Math.min(least, runtime.totalMemory() - runtime.freeMemory());
        }
        return least;
    }
}
