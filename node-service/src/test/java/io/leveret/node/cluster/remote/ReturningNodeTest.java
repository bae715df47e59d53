package io.leveret.node.cluster.remote;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leveret.model.NodeName;
import io.leveret.node.cluster.metadata.ClusterCommand;
import io.leveret.node.cluster.metadata.Replica;
import io.leveret.node.journal.FileJournal;
import io.leveret.node.journal.JournalSettings;
import io.leveret.node.journal.RecoveryVisitor;
import io.leveret.node.runtime.RecordedFaults;
import io.leveret.node.runtime.SystemClock;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a node says of itself when it comes back. */
@Timeout(120)
class ReturningNodeTest {
    private static final NodeName A = new NodeName("a");

    @TempDir
    private Path folder;

    private static Replica replica(ClusterFixture cluster) {
        return Objects.requireNonNull(cluster.placement("q").replica(A));
    }

    /** Changes a byte of a body in the oldest file of the log. */
    private static void damage(Path data, String body) throws IOException {
        Path oldest;
        try (Stream<Path> all = Files.list(data)) {
            oldest = all.filter(each -> each.getFileName().toString().startsWith("log-"))
                    .sorted()
                    .findFirst()
                    .orElseThrow();
        }
        int at = new String(Files.readAllBytes(oldest), ISO_8859_1).indexOf(body);
        assertThat(at).isPositive();
        try (RandomAccessFile file = new RandomAccessFile(oldest.toFile(), "rw")) {
            file.seek(at + 10);
            file.write('y');
        }
    }

    @Test
    void aDamagedReplicaIsReportedAlsoWhenTheFirstStartAfterTheDamageComesToNothing() throws Exception {
        try (ClusterFixture cluster = new ClusterFixture(folder, JournalSettings.small(), 64 << 20, "a", "b")) {
            cluster.declare("q", "a");
            String filler = "x".repeat(1000);
            TestPublisher publisher = cluster.node("a").publisher("q", 0);
            publisher.publish(100, filler, true);
            await().until(() -> publisher.confirmed.size() == 100);
            long generation = replica(cluster).generation();
            cluster.kill("a");
            damage(folder.resolve("a"), filler);

            cluster.node("a").startAndDie();
            cluster.start("a");

            assertThat(replica(cluster).generation()).isGreaterThan(generation);
            TestPublisher again = cluster.node("a").publisher("q", 0);
            again.publish(10, "m", true);
            await().until(() -> again.confirmed.size() == 10);
            cluster.kill("a");
            long newer = replica(cluster).generation();
            cluster.start("a");
            assertThat(replica(cluster).generation()).isEqualTo(newer);
            cluster.awaitHeld(10, "q", "a");
        }
    }

    /** A journal whose log is far above its size, with nothing in it that anybody still owns. */
    private static void fillWithDropped(Path data, RecordedFaults faults) throws IOException {
        try (FileJournal journal = FileJournal.open(data, JournalSettings.small(), new SystemClock(), faults)) {
            journal.recover(new NobodyVisited());
            for (int record = 0; record < 100; record++) {
                journal.append(1 << 20, 1, 0, ByteBuffer.allocate(10_000));
            }
            // What is waiting is written when the journal closes.
            journal.drop(1 << 20);
        }
    }

    private static final class NobodyVisited implements RecoveryVisitor {
        @Override
        public void checkpoint(long stream, ByteBuffer state) {}

        @Override
        public boolean stored(long stream, long position, int type, ByteBuffer meta, int payloadBytes) {
            return false;
        }

        @Override
        public void record(long stream, long position, int type, ByteBuffer payload) {}

        @Override
        public void dropped(long stream) {}

        @Override
        public void damaged(long stream, String why) {}
    }

    /** What is damaged in it would be written anew, and the next start would take the node for whole. */
    @Test
    void theJournalIsLeftAsItIsUntilTheClusterHasHeardOfTheDamage() throws Exception {
        RecordedFaults faults = new RecordedFaults();
        try (ClusterFixture cluster = new ClusterFixture(folder, JournalSettings.small(), 64 << 20, "a", "b")) {
            cluster.kill("a");
            fillWithDropped(folder.resolve("a"), faults);

            ClusterFixture.Member a = cluster.node("a");
            a.open();
            await().during(Duration.ofMillis(300))
                    .until(() -> a.journal().statistics().releasedFiles() == 0);
            a.serve();

            await().until(() -> a.journal().statistics().releasedFiles() > 5);
        }
        faults.assertNone();
    }

    @Test
    void aNodeThatHearsInASnapshotThatItWentAwayComesBack() throws Exception {
        try (ClusterFixture cluster = new ClusterFixture(folder, "a", "b")) {
            cluster.policy(".*", Map.of("ha-mode", "all", "ha-sync-mode", "automatic"));
            cluster.declare("q", "a", "b");
            TestPublisher publisher = cluster.node("a").publisher("q", 0);
            publisher.publish(10, "m", true);
            await().until(() -> publisher.confirmed.size() == 10);
            cluster.node("a").store().cutOff();
            cluster.metadata.apply(new ClusterCommand.NodeDown(A, cluster.node("a").boot));
            cluster.awaitInSync("q", "b");
            assertThat(cluster.node("a").hosts.led()).hasSize(1);

            // Nothing else happens in the cluster that it could hear of.
            cluster.node("a").store().catchUp();

            await().until(() -> cluster.metadata.image().isLive(A));
            cluster.awaitInSync("q", "a", "b");
            assertThat(cluster.leader("q")).isEqualTo("b");
            assertThat(cluster.node("a").hosts.led()).isEmpty();
            publisher.publish(10, "m", true);
            await().until(() -> publisher.confirmed.size() == 20);
            cluster.awaitHeld(20, "q", "a", "b");
        }
    }
}
