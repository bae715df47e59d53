package io.leveret.node.cluster.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leveret.model.NodeName;
import io.leveret.node.cluster.metadata.ClusterCommand;
import io.leveret.node.cluster.metadata.QueuePlacement;
import io.leveret.node.runtime.HeldTimers;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A leader gives way in good order, with real journals and links. */
class HandOverClusterTest {
    @TempDir
    Path folder;

    /** Asks on a node that does not lead, as the controller may; again, as a leader that is new has not heard yet. */
    private static void move(ClusterFixture cluster, String to) {
        await().untilAsserted(() -> {
            QueuePlacement now = cluster.placement("q");
            if (!cluster.leader("q").equals(to)) {
                cluster.node("c")
                        .hosts
                        .askToHandOver(new ClusterCommand.Move.Step(
                                now.incarnation(), new NodeName(to), now.epoch(), now.version()));
            }
            assertThat(cluster.leader("q")).isEqualTo(to);
        });
    }

    private static List<String> bodies(int from, int to) {
        return IntStream.rangeClosed(from, to).mapToObj(i -> "m" + i).toList();
    }

    @Test
    void onlyWhatWasOutIsRedelivered() throws Exception {
        try (ClusterFixture cluster = new ClusterFixture(folder, "a", "b", "c")) {
            cluster.declare("q", "a", "b");
            TestPublisher publisher = cluster.node("c").publisher("q", 0);
            publisher.publish(100, "m", true);
            await().until(() -> publisher.confirmed.size() == 100);
            TestSubscriber holding = cluster.node("c").subscriber("q", 1).start(10);
            await().untilAsserted(() -> assertThat(holding.deliveries).hasSize(10));

            move(cluster, "b");

            await().untilAsserted(() -> assertThat(holding.deliveries).hasSize(20));
            assertThat(holding.deliveries.subList(10, 20)).allMatch(TestSubscriber.Delivery::isRedelivered);
            TestSubscriber others =
                    cluster.node("a").subscriber("q", 0).acking().start(0);
            await().untilAsserted(() -> assertThat(others.bodies()).isEqualTo(bodies(11, 100)));
            assertThat(others.deliveries).noneMatch(TestSubscriber.Delivery::isRedelivered);
        }
    }

    @Test
    void whatIsRefusedIsSentAgainEverMoreRarely() throws Exception {
        try (ClusterFixture cluster = new ClusterFixture(folder, "a", "b", "c")) {
            cluster.declare("q", "a", "b");
            HeldTimers noted = new HeldTimers(cluster.node("c").loop(0), true);
            TestPublisher publisher = new TestPublisher(cluster.node("c").queue("q"), noted);
            publisher.publish(1, "m", true);
            await().until(() -> publisher.confirmed.size() == 1);
            noted.held.clear();
            cluster.node("a").majority(false);
            publisher.publish(100, "m", true);
            await().untilAsserted(() -> assertThat(noted.held)
                    .extracting(HeldTimers.Timer::nanos)
                    .containsSubsequence(millis(20), millis(40), millis(80), millis(160), millis(320), millis(320)));
            cluster.node("a").majority(true);
            await().until(() -> publisher.confirmed.size() == 101);
            noted.held.clear();
            cluster.node("a").majority(false);
            publisher.publish(1, "m", true);
            await().untilAsserted(() ->
                    assertThat(noted.held).extracting(HeldTimers.Timer::nanos).contains(millis(20)));
            cluster.node("a").majority(true);
            await().until(() -> publisher.confirmed.size() == 102);
        }
    }

    private static long millis(long millis) {
        return TimeUnit.MILLISECONDS.toNanos(millis);
    }

    @Test
    void whoPublishesAndConsumesMeanwhileNoticesNothing() throws Exception {
        try (ClusterFixture cluster = new ClusterFixture(folder, "a", "b", "c")) {
            cluster.declare("q", "a", "b");
            TestPublisher here = cluster.node("a").publisher("q", 0);
            TestSubscriber consumer =
                    cluster.node("c").subscriber("q", 1).acking().start(50);
            for (int round = 0; round < 6; round++) {
                here.publish(500, "m", true);
                move(cluster, round % 2 == 0 ? "b" : "a");
            }
            await().until(() -> here.confirmed.size() == 3000);
            await().untilAsserted(() -> assertThat(consumer.deliveries).hasSizeGreaterThanOrEqualTo(3000));
            assertThat(consumer.bodies()).isEqualTo(bodies(1, 3000));
            assertThat(consumer.deliveries).noneMatch(TestSubscriber.Delivery::isRedelivered);
        }
    }
}
