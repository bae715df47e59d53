package io.leveret.node.cluster.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leveret.node.cluster.replication.QueueHost;
import io.leveret.node.cluster.replication.ReplicaProbe;
import io.leveret.node.journal.JournalSettings;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The journal lets go of its log while queues use what is in it. */
@Timeout(120)
class LogReleaseTest {
    private static final int READERS = 4;

    @TempDir
    private Path folder;

    @Test
    void theLogIsReleasedWhileSomebodyIsAlwaysReading() throws Exception {
        try (ClusterFixture cluster = new ClusterFixture(folder, JournalSettings.small(), 1 << 20, "a")) {
            cluster.declare("q", "a");
            TestPublisher publisher = cluster.node("a").publisher("q", 0);
            publisher.publish(10, "first", true);
            await().until(() -> publisher.confirmed.size() == 10);
            QueueHost host = Objects.requireNonNull(
                    cluster.node("a").hosts.host(cluster.placement("q").incarnation()));
            AtomicBoolean goesOn = new AtomicBoolean(true);
            AtomicLong found = new AtomicLong();
            host.executor().execute(() -> {
                for (int reader = 0; reader < READERS; reader++) {
                    ReplicaProbe.keepReading(host, goesOn::get, found);
                }
            });

            publisher.publish(1000, "x".repeat(1000), true);

            await().until(() -> publisher.confirmed.size() == 1010);
            await().until(() -> cluster.node("a").journal().statistics().releasedFiles() > 5);
            await().until(() -> cluster.node("a").journal().statistics().logFiles() <= 3);
            long before = found.get();
            await().until(() -> found.get() > before + READERS);
            goesOn.set(false);
            assertThat(cluster.held("a", "q")).isEqualTo(1010);
        }
    }
}
