package io.leveret.node.cluster.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leveret.model.NodeName;
import io.leveret.model.QueueName;
import io.leveret.model.definition.QueueDefinition;
import io.leveret.node.broker.queue.Subscriber.CancelReason;
import io.leveret.node.broker.queue.SubscriptionOptions;
import io.leveret.node.cluster.metadata.ClusterCommand;
import io.leveret.node.cluster.metadata.QueuePlacement;
import io.leveret.node.runtime.HeldTimers;
import java.lang.ref.WeakReference;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What is left of channels, consumers and queues when one of them ends before the others. */
@Timeout(120)
class QueueEndsTest {
    @TempDir
    private Path folder;

    private static void move(ClusterFixture cluster, String to) {
        QueuePlacement now = cluster.placement("q");
        var outcome = cluster.metadata.apply(new ClusterCommand.Move(List.of(
                new ClusterCommand.Move.Step(now.incarnation(), new NodeName(to), now.epoch(), now.version()))));
        assertThat(outcome.isRefused()).as("%s", outcome).isFalse();
    }

    private static void delete(ClusterFixture cluster) {
        long incarnation = cluster.placement("q").incarnation();
        cluster.metadata.apply(new ClusterCommand.Delete(List.of(incarnation)));
        for (String each : List.of("a", "b")) {
            await().until(() -> cluster.node(each).hosts.host(incarnation) == null);
        }
    }

    private static int open(ClusterFixture cluster) {
        return cluster.node("a").directory.service().openCount()
                + cluster.node("b").directory.service().openCount();
    }

    @Test
    void whatAChannelPublishedBeforeItClosedReachesTheNextLeader() throws Exception {
        try (ClusterFixture cluster = new ClusterFixture(folder, "a", "b", "c")) {
            cluster.declare("q", "a", "b");
            long all = 0;
            for (String origin : List.of("a", "c")) {
                String leader = cluster.leader("q");
                all += 50;
                cluster.node(leader).majority(false);
                TestPublisher publisher = cluster.node(origin).publisher("q", 0);
                publisher.publish(50, origin, true);
                publisher.close();
                move(cluster, leader.equals("a") ? "b" : "a");
                cluster.awaitHeld(all, "q", "a", "b");
                cluster.node(leader).majority(true);
                await().untilAsserted(() -> assertThat(publisher.confirmed).hasSize(50));
            }
        }
    }

    @Test
    void nothingIsLeftOfConsumersOfOtherNodesWhenTheQueueIsDeleted() throws Exception {
        try (ClusterFixture cluster = new ClusterFixture(folder, "a", "b")) {
            cluster.declare("q", "a", "b");
            TestSubscriber far = cluster.node("b").subscriber("q", 0).start(10);
            assertThat(open(cluster)).isEqualTo(2);
            delete(cluster);
            await().untilAsserted(() -> assertThat(far.cancels).containsExactly(CancelReason.QUEUE_DELETED));
            await().untilAsserted(() -> assertThat(open(cluster)).isZero());
        }
    }

    @Test
    void aChannelThatStaysOpenHoldsNothingOfADeletedQueue() throws Exception {
        try (ClusterFixture cluster = new ClusterFixture(folder, "a", "b")) {
            cluster.declare("q", "a", "b");
            TestPublisher publisher = cluster.node("a").publisher("q", 0);
            publisher.publish(5, "m", true);
            await().until(() -> publisher.confirmed.size() == 5);
            var leader = new WeakReference<>(
                    cluster.node("a").hosts.host(cluster.placement("q").incarnation()));
            delete(cluster);
            await().atMost(Duration.ofSeconds(90)).until(() -> {
                System.gc();
                return leader.get() == null;
            });
            publisher.close();
        }
    }

    @Test
    void nothingIsLeftOfAConsumerThatAskedToBeToldOfANewLeader() throws Exception {
        try (ClusterFixture cluster = new ClusterFixture(folder, "a", "b", "c")) {
            cluster.declare("q", "a", "b");
            TestSubscriber far = cluster.node("c")
                    .subscriber("q", 0)
                    .start(new SubscriptionOptions(
                            "id", "tag", false, false, 10, false, Map.of("x-cancel-on-ha-failover", true)));
            move(cluster, "b");
            await().untilAsserted(() -> assertThat(far.cancels).containsExactly(CancelReason.LEADER_CHANGED));
            await().untilAsserted(() -> assertThat(open(cluster)
                            + cluster.node("c").directory.service().openCount())
                    .isZero());
        }
    }

    @Test
    void anAutoDeleteQueueStaysWhenItsConsumerLeavesAFormerLeaderForTheNext() throws Exception {
        try (ClusterFixture cluster = new ClusterFixture(folder, "a", "b", "c")) {
            cluster.declare(
                    new QueueDefinition(new QueueName(ClusterFixture.VHOST, "q"), true, false, true, Map.of()),
                    List.of(new NodeName("a"), new NodeName("b")));
            TestSubscriber subscriber =
                    cluster.node("c").subscriber("q", 0).acking().start(10);
            CompletableFuture<Void> late = new CompletableFuture<>();
            cluster.node("a").hearNothingUntil(late);
            move(cluster, "b");
            await().until(() -> cluster.node("a").directory.service().openCount() == 0);
            // What the former leader proposes now goes through the mailboxes of its loops a few times.
            for (int turn = 0; turn < 8; turn++) {
                CompletableFuture.runAsync(() -> {}, cluster.node("a").loop(turn % 2))
                        .join();
            }
            late.complete(null);
            TestPublisher publisher = cluster.node("a").publisher("q", 0);
            publisher.publish(5, "m", true);
            await().untilAsserted(() -> assertThat(subscriber.deliveries).hasSize(5));
            assertThat(subscriber.cancels).isEmpty();

            subscriber.close();
            await().until(() -> cluster.metadata.image().placement(new QueueName(ClusterFixture.VHOST, "q")) == null);
        }
    }

    @Test
    void aGetThatWasAskedOfALeaderThatIsGoneIsRefusedAtTheDeadline() throws Exception {
        try (ClusterFixture cluster = new ClusterFixture(folder, "a", "b", "c")) {
            cluster.declare("q", "a", "b");
            cluster.kill("c");
            cluster.publishDeadlineMillis = 3_000;
            cluster.start("c");
            TestSubscriber passive = cluster.node("c")
                    .subscriber("q", 0)
                    .start(new SubscriptionOptions("id", "tag", false, false, 0, true, Map.of()));
            cluster.kill("b");
            cluster.node("a").majority(false);
            CompletableFuture<Long> got =
                    cluster.node("c").queue("q").get(passive.subscription()).toCompletableFuture();
            cluster.kill("a");
            assertThat(cluster.placement("q").leader()).isNull();
            await().until(got::isCompletedExceptionally);
        }
    }

    @Test
    void nobodyWaitsForTheReplicaOfADeletedQueue() throws Exception {
        try (ClusterFixture cluster = new ClusterFixture(folder, "a", "b")) {
            cluster.declare("q", "a", "b");
            // Whoever subscribes before the leader is there tries again by a timer, and these do not run.
            await().until(() -> cluster.node("a").hosts.led().size() == 1);
            HeldTimers noted = new HeldTimers(cluster.node("a").loop(1), false);
            TestPublisher publisher = new TestPublisher(cluster.node("a").queue("q"), noted);
            TestSubscriber subscriber = new TestSubscriber(cluster.node("a").queue("q"), noted).start(10);
            publisher.publish(1, "m", true);
            await().until(() -> publisher.confirmed.size() == 1);
            noted.held.clear();

            CountDownLatch stall = new CountDownLatch(1);
            noted.execute(() -> awaitQuietly(stall));
            move(cluster, "b");
            move(cluster, "a");
            delete(cluster);
            stall.countDown();

            await().untilAsserted(() -> assertThat(subscriber.cancels).containsExactly(CancelReason.QUEUE_DELETED));
            CountDownLatch after = new CountDownLatch(1);
            noted.execute(after::countDown);
            assertThat(after.await(20, TimeUnit.SECONDS)).isTrue();
            assertThat(noted.held).isEmpty();
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await(20, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
