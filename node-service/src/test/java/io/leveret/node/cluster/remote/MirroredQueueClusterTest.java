package io.leveret.node.cluster.remote;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.leveret.model.QueueName;
import io.leveret.model.definition.QueueDefinition;
import io.leveret.node.broker.definitions.DefinitionChange;
import io.leveret.node.broker.queue.QueueCounts;
import io.leveret.node.broker.queue.QueueUnavailableException;
import io.leveret.node.broker.queue.Subscriber.CancelReason;
import io.leveret.node.broker.queue.Subscription.Settlement;
import io.leveret.node.broker.queue.SubscriptionOptions;
import io.leveret.node.cluster.metadata.ClusterCommand;
import io.leveret.node.journal.JournalSettings;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class MirroredQueueClusterTest {
    @TempDir
    private Path folder;

    private static <T> T get(CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().get(25, TimeUnit.SECONDS);
    }

    private static void awaitConfirmed(TestPublisher publisher, long count) {
        await().untilAsserted(() -> assertThat(publisher.confirmed.size() + publisher.refused.size())
                .isEqualTo((int) count));
        assertThat(publisher.refused).isEmpty();
        assertThat(publisher.answeredTwice).isEmpty();
    }

    private static List<String> bodies(String prefix, long from, long to) {
        return LongStream.rangeClosed(from, to)
                .mapToObj(number -> prefix + number)
                .toList();
    }

    @Test
    void aMessageIsConfirmedWhenAllMirrorsHaveItAndGoneWhenItIsAcked() throws Exception {
        try (ClusterFixture cluster = new ClusterFixture(folder, "a", "b", "c")) {
            cluster.declare("q", "a", "b", "c");
            for (String origin : List.of("a", "b", "c")) {
                for (int loop = 0; loop < 2; loop++) {
                    TestPublisher publisher = cluster.node(origin).publisher("q", loop);
                    publisher.publish(200, origin + loop + "-", loop == 0);
                    awaitConfirmed(publisher, 200);
                }
            }
            cluster.awaitHeld(1200, "q", "a", "b", "c");
            assertThat(get(cluster.node("b").queue("q").counts())).isEqualTo(new QueueCounts(1200, 0, 0));

            TestSubscriber subscriber =
                    cluster.node("c").subscriber("q", 1).acking().start(50);
            await().untilAsserted(() -> assertThat(subscriber.deliveries).hasSize(1200));
            cluster.awaitHeld(0, "q", "a", "b", "c");
            for (String origin : List.of("a", "b", "c")) {
                assertThat(subscriber.bodies()).containsSubsequence(bodies(origin + "0-", 1, 200));
                assertThat(subscriber.bodies()).containsSubsequence(bodies(origin + "1-", 1, 200));
            }
            assertThat(subscriber.deliveries).noneMatch(TestSubscriber.Delivery::isRedelivered);
        }
    }

    @Test
    void aMirrorLeadsWhenTheLeaderDiesAndNothingConfirmedIsLost() throws Exception {
        try (ClusterFixture cluster = new ClusterFixture(folder, "a", "b", "c")) {
            cluster.policy(".*", Map.of("ha-mode", "all", "ha-sync-mode", "automatic"));
            cluster.declare("q", "a", "b", "c");
            TestPublisher near = cluster.node("b").publisher("q", 0);
            TestPublisher far = cluster.node("c").publisher("q", 1);
            TestSubscriber idle = cluster.node("c").subscriber("q", 0).start(10);
            near.publish(500, "near", true);
            far.publish(500, "far", false);
            await().until(() -> idle.deliveries.size() == 10);
            cluster.kill("a");
            near.publish(500, "near", true);
            far.publish(500, "far", false);
            awaitConfirmed(near, 1000);
            awaitConfirmed(far, 1000);
            assertThat(cluster.leader("q")).isEqualTo("b");
            cluster.awaitHeld(2000, "q", "b", "c");
            // The consumer came along, and what it had is delivered again, and said to be.
            await().until(() -> idle.deliveries.size() == 20);
            assertThat(idle.deliveries.subList(10, 20)).allMatch(TestSubscriber.Delivery::isRedelivered);
            idle.settle(1, 20, Settlement.ACK);
            cluster.awaitHeld(1990, "q", "b", "c");

            cluster.start("a");
            cluster.awaitInSync("q", "a", "b", "c");
            cluster.awaitHeld(1990, "q", "a", "b", "c");
            idle.close();
            TestSubscriber all = cluster.node("a").subscriber("q", 0).acking().start(0);
            await().untilAsserted(() -> assertThat(all.deliveries).hasSize(1990));
            Set<String> got = all.bodies().stream().collect(Collectors.toSet());
            idle.deliveries.subList(10, 20).forEach(each -> got.add(each.body()));
            assertThat(got).containsAll(bodies("near", 1, 1000)).containsAll(bodies("far", 1, 1000));
            assertThat(all.bodies()).containsSubsequence(bodies("near", 600, 1000));
            cluster.awaitHeld(0, "q", "a", "b", "c");
        }
    }

    @Test
    void persistentMessagesSurviveAStopOfAllNodes() throws Exception {
        try (ClusterFixture cluster = new ClusterFixture(folder, "a", "b")) {
            cluster.policy(".*", Map.of("ha-mode", "all", "ha-sync-mode", "automatic"));
            cluster.declare("q", "a", "b");
            TestPublisher publisher = cluster.node("a").publisher("q", 0);
            publisher.publish(300, "persistent", true);
            publisher.publish(100, "transient", false);
            awaitConfirmed(publisher, 400);
            TestSubscriber first = cluster.node("b").subscriber("q", 0).start(100);
            await().until(() -> first.deliveries.size() == 100);
            first.settle(1, 100, Settlement.ACK);
            cluster.awaitHeld(300, "q", "a", "b");
            cluster.kill("a");
            cluster.kill("b");
            assertThat(cluster.placement("q").leader()).isNull();

            cluster.start("b");
            await().untilAsserted(() -> assertThat(cluster.leader("q")).isEqualTo("b"));
            cluster.start("a");
            cluster.awaitInSync("q", "a", "b");
            cluster.awaitHeld(200, "q", "a", "b");
            TestSubscriber second =
                    cluster.node("a").subscriber("q", 1).acking().start(0);
            await().untilAsserted(() -> assertThat(second.deliveries).hasSize(200));
            assertThat(second.bodies()).isEqualTo(bodies("persistent", 101, 300));
            assertThat(second.deliveries).allMatch(TestSubscriber.Delivery::isRedelivered);
            // A new channel of the new boot is not taken for the old one.
            TestPublisher again = cluster.node("a").publisher("q", 0);
            again.publish(10, "again", true);
            awaitConfirmed(again, 10);
            await().untilAsserted(() -> assertThat(second.deliveries).hasSize(210));
        }
    }

    @Test
    void aNewMirrorIsFilledWhileTheQueueGoesOn() throws Exception {
        try (ClusterFixture cluster = new ClusterFixture(folder, "a", "b", "c")) {
            cluster.policy(".*", Map.of("ha-mode", "all", "ha-sync-mode", "automatic", "ha-sync-batch-size", 100L));
            cluster.declare("q", "a");
            TestPublisher publisher = cluster.node("b").publisher("q", 0);
            publisher.publish(3000, "m", true);
            awaitConfirmed(publisher, 3000);
            var placement = cluster.placement("q");
            cluster.metadata.apply(new ClusterCommand.AddReplica(List.of(new ClusterCommand.AddReplica.Step(
                    placement.incarnation(), cluster.node("c").name, placement.version()))));
            publisher.publish(500, "m", true);
            awaitConfirmed(publisher, 3500);
            cluster.awaitInSync("q", "a", "c");
            cluster.awaitHeld(3500, "q", "a", "c");
            cluster.kill("a");
            publisher.publish(10, "m", true);
            awaitConfirmed(publisher, 3510);
            TestSubscriber all = cluster.node("b").subscriber("q", 0).acking().start(0);
            await().untilAsserted(() -> assertThat(all.deliveries).hasSize(3510));
            assertThat(all.bodies()).isEqualTo(bodies("m", 1, 3510));
        }
    }

    @Test
    void manualSynchronisationWaitsToBeAsked() throws Exception {
        try (ClusterFixture cluster = new ClusterFixture(folder, "a", "b")) {
            cluster.policy(".*", Map.of("ha-mode", "all"));
            cluster.declare("q", "a", "b");
            TestPublisher publisher = cluster.node("a").publisher("q", 0);
            publisher.publish(100, "old", true);
            awaitConfirmed(publisher, 100);
            cluster.kill("b");
            publisher.publish(50, "new", true);
            awaitConfirmed(publisher, 150);
            cluster.start("b");
            await().untilAsserted(() -> assertThat(get(cluster.node("a")
                                    .hosts
                                    .status(cluster.placement("q").queue()))
                            .mirrors())
                    .singleElement()
                    .satisfies(mirror -> assertThat(mirror.missing()).isEqualTo(50)));
            publisher.publish(5, "live", true);
            awaitConfirmed(publisher, 155);
            cluster.awaitHeld(105, "q", "b");
            cluster.awaitInSync("q", "a");

            assertThat(get(cluster.node("a")
                            .hosts
                            .synchronise(cluster.placement("q").queue())))
                    .isTrue();
            cluster.awaitInSync("q", "a", "b");
            cluster.awaitHeld(155, "q", "b");
        }
    }

    @Test
    void anUnmirroredQueueWhoseNodeIsDownRefusesAtOnceAndComesBack() throws Exception {
        try (ClusterFixture cluster = new ClusterFixture(folder, "a", "b")) {
            cluster.declare("q", "a");
            TestPublisher publisher = cluster.node("b").publisher("q", 0);
            TestSubscriber subscriber = cluster.node("b").subscriber("q", 0).start(1);
            publisher.publish(20, "m", true);
            awaitConfirmed(publisher, 20);
            cluster.kill("a");
            await().untilAsserted(() -> assertThat(subscriber.cancels).containsExactly(CancelReason.QUEUE_UNAVAILABLE));
            publisher.publish(5, "m", true);
            await().untilAsserted(() -> assertThat(publisher.refused).hasSize(5));
            assertThatThrownBy(() -> get(cluster.node("b").queue("q").counts()))
                    .hasCauseInstanceOf(QueueUnavailableException.class)
                    .hasMessageContaining("home node 'a' of durable queue 'q' in vhost '/' is down or inaccessible");
            CompletableFuture<Object> refused = new CompletableFuture<>();
            TestSubscriber late = cluster.node("b").subscriber("q", 1);
            cluster.node("b")
                    .loop(1)
                    .execute(() -> cluster.node("b")
                            .queue("q")
                            .subscribe(late, new SubscriptionOptions("i", "t", false, false, 1, false, Map.of()))
                            .whenComplete((it, failure) -> refused.complete(failure == null ? it : failure)));
            assertThat(get(refused)).isInstanceOf(QueueUnavailableException.class);

            cluster.start("a");
            await().ignoreExceptions()
                    .until(() -> get(cluster.node("b").queue("q").counts()).ready() == 20);
            TestSubscriber back = cluster.node("b").subscriber("q", 0).acking().start(0);
            await().untilAsserted(() -> assertThat(back.deliveries).hasSize(20));
            publisher.publish(5, "m", true);
            await().untilAsserted(() -> assertThat(publisher.confirmed).hasSize(25));
        }
    }

    @Test
    void getPurgeAndDeletionWorkFromAnotherNode() throws Exception {
        try (ClusterFixture cluster = new ClusterFixture(folder, "a", "b")) {
            cluster.declare("q", "a", "b");
            TestPublisher publisher = cluster.node("b").publisher("q", 0);
            publisher.publish(10, "m", true);
            awaitConfirmed(publisher, 10);
            TestSubscriber getting = cluster.node("b")
                    .subscriber("q", 1)
                    .start(new SubscriptionOptions("i", "t", false, false, 0, true, Map.of()));
            assertThat(get(cluster.node("b").queue("q").get(getting.subscription())))
                    .isEqualTo(9);
            assertThat(getting.bodies()).containsExactly("m1");
            getting.settle(1, 1, Settlement.REQUEUE);
            assertThat(get(cluster.node("b").queue("q").get(getting.subscription())))
                    .isEqualTo(9);
            assertThat(getting.deliveries.get(1)).isEqualTo(new TestSubscriber.Delivery(2, "m1", true));
            assertThat(get(cluster.node("b").queue("q").purge())).isEqualTo(9);
            assertThat(get(cluster.node("b").queue("q").get(getting.subscription())))
                    .isEqualTo(-1);
            assertThat(get(cluster.node("b").queue("q").statistics()).unacked()).isEqualTo(1);
            cluster.awaitHeld(1, "q", "a", "b");

            TestSubscriber consumer = cluster.node("b").subscriber("q", 0).start(1);
            long incarnation = cluster.placement("q").incarnation();
            cluster.metadata.apply(new ClusterCommand.Define(
                    new DefinitionChange.DeleteQueue(cluster.placement("q").queue())));
            await().untilAsserted(() -> assertThat(consumer.cancels).containsExactly(CancelReason.QUEUE_DELETED));
            publisher.publish(1, "m", true);
            awaitConfirmed(publisher, 11);
            await().until(() -> cluster.node("a").hosts.host(incarnation) == null);
        }
    }

    @Test
    void aConsumerThatAskedIsToldOfANewLeader() throws Exception {
        try (ClusterFixture cluster = new ClusterFixture(folder, "a", "b", "c")) {
            cluster.declare("q", "a", "b");
            TestSubscriber asked = cluster.node("c")
                    .subscriber("q", 1)
                    .start(new SubscriptionOptions(
                            "i", "t", false, false, 0, false, Map.of("x-cancel-on-ha-failover", true)));
            TestSubscriber silent = cluster.node("c").subscriber("q", 0).start(0);
            cluster.kill("a");
            await().untilAsserted(() -> assertThat(asked.cancels).containsExactly(CancelReason.LEADER_CHANGED));
            TestPublisher publisher = cluster.node("c").publisher("q", 0);
            publisher.publish(3, "m", true);
            awaitConfirmed(publisher, 3);
            await().untilAsserted(() -> assertThat(silent.deliveries).hasSize(3));
            assertThat(silent.cancels).isEmpty();
            assertThat(asked.deliveries).isEmpty();
        }
    }

    @Test
    void aCleanStopHandsTheQueueOverWithoutAnUnsyncedPromotion() throws Exception {
        try (ClusterFixture cluster = new ClusterFixture(folder, "a", "b")) {
            cluster.declare("q", "a", "b");
            TestPublisher publisher = cluster.node("b").publisher("q", 0);
            publisher.publish(500, "m", true);
            get(cluster.node("a").hosts.stop(TimeUnit.SECONDS.toNanos(20)));
            assertThat(cluster.leader("q")).isEqualTo("b");
            assertThat(cluster.metadata.image().isLive(cluster.node("a").name)).isFalse();
            publisher.publish(500, "m", true);
            awaitConfirmed(publisher, 1000);
            assertThat(cluster.placement("q").abandoned()).isEmpty();
            TestSubscriber all = cluster.node("b").subscriber("q", 0).acking().start(0);
            await().untilAsserted(() -> assertThat(all.deliveries).hasSize(1000));
            assertThat(all.bodies()).isEqualTo(bodies("m", 1, 1000));
        }
    }

    @Test
    void aQueueLargerThanMemoryAndLogIsKeptAndSurvivesARestart() throws Exception {
        try (ClusterFixture cluster = new ClusterFixture(folder, JournalSettings.small(), 1 << 20, "a", "b")) {
            cluster.policy(".*", Map.of("ha-mode", "all", "ha-sync-mode", "automatic"));
            cluster.declare("q", "a", "b");
            cluster.declare("other", "b", "a");
            String filler = "x".repeat(500);
            TestPublisher publisher = cluster.node("b").publisher("q", 0);
            TestPublisher other = cluster.node("a").publisher("other", 1);
            for (int round = 0; round < 20; round++) {
                publisher.publish(500, filler, round % 4 != 0);
                other.publish(100, filler, true);
            }
            awaitConfirmed(publisher, 10_000);
            awaitConfirmed(other, 2_000);
            await().untilAsserted(() ->
                    assertThat(cluster.node("a").hosts.budget().bytes()).isLessThan(2 << 20));
            TestSubscriber some = cluster.node("a").subscriber("q", 1).start(1000);
            await().until(() -> some.deliveries.size() == 1000);
            some.settle(1, 1000, Settlement.ACK);
            cluster.awaitHeld(9_000, "q", "a", "b");
            some.close();
            cluster.kill("a");
            cluster.kill("b");

            cluster.start("a");
            cluster.start("b");
            cluster.awaitInSync("q", "a", "b");
            cluster.awaitInSync("other", "a", "b");
            cluster.awaitHeld(7_000, "q", "a", "b");
            TestSubscriber all = cluster.node("b").subscriber("q", 0).acking().start(100);
            TestSubscriber rest =
                    cluster.node("a").subscriber("other", 0).acking().start(100);
            await().untilAsserted(() -> assertThat(all.deliveries).hasSize(7_000));
            await().untilAsserted(() -> assertThat(rest.deliveries).hasSize(2_000));
            assertThat(rest.bodies()).isEqualTo(bodies(filler, 1, 2_000));
            assertThat(all.bodies())
                    .isEqualTo(LongStream.rangeClosed(1_001, 10_000)
                            .filter(number -> (number - 1) / 500 % 4 != 0)
                            .mapToObj(number -> filler + number)
                            .toList());
            cluster.awaitHeld(0, "q", "a", "b");
        }
    }

    @Test
    void anAutoDeleteQueueGoesWithItsLastConsumer() throws Exception {
        try (ClusterFixture cluster = new ClusterFixture(folder, "a", "b")) {
            cluster.metadata.apply(new ClusterCommand.Declare(
                    new DefinitionChange.DeclareQueue(
                            new QueueDefinition(new QueueName(ClusterFixture.VHOST, "q"), false, false, true, Map.of()),
                            null),
                    List.of(cluster.node("a").name)));
            TestSubscriber one = cluster.node("b").subscriber("q", 0).start(0);
            TestSubscriber two = cluster.node("b").subscriber("q", 1).start(0);
            TestPublisher publisher = cluster.node("b").publisher("q", 0);
            publisher.publish(1, "m", true);
            awaitConfirmed(publisher, 1);
            one.close();
            await().untilAsserted(() -> assertThat(
                            get(cluster.node("b").queue("q").counts()).consumers())
                    .isEqualTo(1));
            two.close();
            await().until(() -> cluster.metadata.image().placement(new QueueName(ClusterFixture.VHOST, "q")) == null);
        }
    }

    @Test
    void messagesThatTheLeadersDiskHasLostWaitForAMirrorThatRestarts() throws Exception {
        try (ClusterFixture cluster = new ClusterFixture(folder, JournalSettings.small(), 1 << 20, "a", "b")) {
            cluster.declare("q", "a", "b");
            String filler = "x".repeat(1000);
            TestPublisher publisher = cluster.node("a").publisher("q", 0);
            for (int round = 1; round <= 6; round++) {
                publisher.publish(500, filler, true);
                awaitConfirmed(publisher, round * 500L);
            }
            await().until(() -> cluster.node("a").hosts.budget().bytes() < 1 << 20);
            await().until(() -> cluster.node("a").journal().statistics().logFiles() <= 3);
            assertThat(damageBodies(folder.resolve("a"), filler)).isPositive();
            cluster.kill("b");
            TestSubscriber all = cluster.node("a").subscriber("q", 0).acking().start(0);
            await().until(() -> !all.deliveries.isEmpty() && all.deliveries.size() < 3000);
            cluster.start("b");
            await().untilAsserted(() -> assertThat(all.deliveries).hasSize(3000));
            assertThat(all.bodies()).isEqualTo(bodies(filler, 1, 3000));
        }
    }

    @Test
    void messagesThatTheLeadersDiskHasLostComeFromAMirror() throws Exception {
        try (ClusterFixture cluster = new ClusterFixture(folder, JournalSettings.small(), 1 << 20, "a", "b")) {
            cluster.declare("q", "a", "b");
            String filler = "x".repeat(1000);
            TestPublisher publisher = cluster.node("a").publisher("q", 0);
            for (int round = 1; round <= 6; round++) {
                publisher.publish(500, filler, true);
                awaitConfirmed(publisher, round * 500L);
            }
            await().until(() -> cluster.node("a").hosts.budget().bytes() < 1 << 20);
            // Nothing is moved any more: what is damaged stays where it is.
            await().until(() -> cluster.node("a").journal().statistics().logFiles() <= 3);
            int damaged = damageBodies(folder.resolve("a"), filler);
            assertThat(damaged).isPositive();
            TestSubscriber all = cluster.node("b").subscriber("q", 0).acking().start(0);
            await().untilAsserted(() -> assertThat(all.deliveries).hasSize(3000));
            assertThat(all.bodies()).isEqualTo(bodies(filler, 1, 3000));
        }
    }

    @Test
    void aNodesQueuesAreTakenOverInFewCommands() throws Exception {
        try (ClusterFixture cluster = new ClusterFixture(folder, "a", "b")) {
            for (int i = 0; i < 100; i++) {
                cluster.declare("q" + i, "a", "b");
            }
            for (int i = 0; i < 100; i++) {
                String queue = "q" + i;
                await().until(() -> cluster.placement(queue).isOpened());
            }
            long before = cluster.metadata.image().index();
            cluster.kill("a");
            for (int i = 0; i < 100; i++) {
                String queue = "q" + i;
                await().until(() -> cluster.leader(queue).equals("b")
                        && cluster.placement(queue).isOpened());
            }
            // NodeDown, and the Opens: one command, or a few when the two loops did not ask together.
            assertThat(cluster.metadata.image().index() - before).isBetween(2L, 12L);
        }
    }

    @Test
    void aPausedNodeNeitherTakesNorDelivers() throws Exception {
        try (ClusterFixture cluster = new ClusterFixture(folder, "a", "b")) {
            cluster.declare("q", "a", "b");
            TestSubscriber subscriber = cluster.node("b").subscriber("q", 0).start(0);
            TestPublisher publisher = cluster.node("b").publisher("q", 0);
            publisher.publish(5, "m", true);
            awaitConfirmed(publisher, 5);
            await().until(() -> subscriber.deliveries.size() == 5);
            cluster.node("a").majority(false);
            publisher.publish(5, "m", true);
            publisher.publish(5, "m", true);
            assertThat(get(cluster.node("b").queue("q").counts()).ready()).isZero();
            assertThat(publisher.confirmed).hasSize(5);
            assertThat(subscriber.deliveries).hasSize(5);
            cluster.node("a").majority(true);
            awaitConfirmed(publisher, 15);
            await().untilAsserted(() -> assertThat(subscriber.bodies()).isEqualTo(bodies("m", 1, 15)));
        }
    }

    /** Changes a byte of one body in each of five files. */
    private static int damageBodies(Path data, String body) throws IOException {
        int damaged = 0;
        List<Path> files;
        try (Stream<Path> all = Files.walk(data)) {
            // Log files come and go while they are released.
            files = all.filter(Files::isRegularFile)
                    .filter(each -> !each.getFileName().toString().startsWith("log-"))
                    .sorted()
                    .toList();
        }
        for (Path each : files) {
            byte[] bytes = Files.readAllBytes(each);
            int at = new String(bytes, ISO_8859_1).indexOf(body, bytes.length / 2);
            if (at >= 0 && damaged < 5) {
                try (RandomAccessFile file = new RandomAccessFile(each.toFile(), "rw")) {
                    file.seek(at + 10);
                    file.write('y');
                }
                damaged++;
            }
        }
        return damaged;
    }
}
