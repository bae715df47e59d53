package io.leveret.node.cluster.remote;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leveret.node.broker.message.Message;
import io.leveret.node.broker.message.MessageProperties;
import io.leveret.node.broker.queue.Publisher;
import io.leveret.node.broker.vhost.ReplyAddress;
import io.leveret.node.broker.vhost.ReplyConsumer;
import io.leveret.node.runtime.SerialExecutor;
import java.nio.file.Path;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Answers find the channel that asked, on whichever node it is. */
@Timeout(120)
class ClusterRepliesTest {
    @TempDir
    Path folder;

    private record Requester(SerialExecutor executor, Queue<String> bodies) implements ReplyConsumer {
        @Override
        public void deliver(Message message) {
            executor.assertInside();
            bodies.add(new String(message.body(), UTF_8));
        }
    }

    private record Responder(SerialExecutor executor, Queue<Long> answered) implements Publisher {
        @Override
        public long channelSerial() {
            return 1;
        }

        @Override
        public void answered(long number, boolean isConfirmed) {
            executor.assertInside();
            assertThat(isConfirmed).isTrue();
            answered.add(number);
        }
    }

    private static void reply(ClusterReplies from, Responder responder, ReplyAddress to, int count, int bytes) {
        responder.executor.execute(() -> {
            for (int i = 1; i <= count; i++) {
                byte[] body = (i + " ".repeat(bytes)).getBytes(UTF_8);
                from.deliver(responder, i, to, new Message("", to.name(), MessageProperties.NONE, body, false));
            }
        });
    }

    private static List<Long> numbers(int count) {
        return IntStream.rangeClosed(1, count).mapToObj(Long::valueOf).toList();
    }

    @Test
    void anAnswerCrossesTheLinkAndNoForgedOneDoes() throws Exception {
        try (ClusterFixture cluster = new ClusterFixture(folder, "a", "b")) {
            ClusterFixture.Member a = cluster.node("a");
            ClusterFixture.Member b = cluster.node("b");
            Requester requester = new Requester(a.loop(1), new ConcurrentLinkedQueue<>());
            ReplyAddress address = a.replies.open(requester);
            assertThat(ReplyAddress.parse(address.name())).isEqualTo(address);
            await().until(() -> b.replies.isOpen(address).toCompletableFuture().join());
            Responder responder = new Responder(b.loop(1), new ConcurrentLinkedQueue<>());
            reply(b.replies, responder, address, 3, 0);
            await().untilAsserted(() -> assertThat(requester.bodies).containsExactly("1", "2", "3"));
            await().untilAsserted(() -> assertThat(responder.answered).containsExactlyElementsOf(numbers(3)));

            ReplyAddress forged = new ReplyAddress(address.node(), address.number(), "A".repeat(22));
            assertThat(b.replies.isOpen(forged).toCompletableFuture().join()).isFalse();
            assertThat(b.replies
                            .isOpen(new ReplyAddress(77, 1, "x"))
                            .toCompletableFuture()
                            .join())
                    .isFalse();
            reply(b.replies, responder, forged, 1, 0);
            a.replies.close(address);
            assertThat(b.replies.isOpen(address).toCompletableFuture().join()).isFalse();
            reply(b.replies, responder, address, 1, 0);
            await().untilAsserted(() -> assertThat(responder.answered).hasSize(5));
            assertThat(requester.bodies).hasSize(3);
        }
    }

    @Test
    void moreThanTheLinkHoldsWaitsInOrderAndIsAnsweredWhenItIsSent() throws Exception {
        try (ClusterFixture cluster = new ClusterFixture(folder, "a", "b")) {
            ClusterFixture.Member a = cluster.node("a");
            Requester requester = new Requester(a.loop(1), new ConcurrentLinkedQueue<>());
            ReplyAddress address = a.replies.open(requester);
            ClusterReplies from = cluster.node("b").replies;
            await().until(() -> from.isOpen(address).toCompletableFuture().join());
            Responder responder = new Responder(cluster.node("b").loop(0), new ConcurrentLinkedQueue<>());
            int count = 1_000; // 64 MB, four windows of the link
            reply(from, responder, address, count, 64_000);
            await().untilAsserted(() -> assertThat(responder.answered).hasSize(count));
            assertThat(responder.answered).containsExactlyElementsOf(numbers(count));
            await().untilAsserted(() -> assertThat(requester.bodies).hasSize(count));
            assertThat(requester.bodies.stream().map(each -> Long.valueOf(each.trim())))
                    .containsExactlyElementsOf(numbers(count));
        }
    }

    @Test
    void whatALostLinkDidNotTakeIsAnsweredAndDropped() throws Exception {
        try (ClusterFixture cluster = new ClusterFixture(folder, "a", "b")) {
            ClusterFixture.Member a = cluster.node("a");
            ReplyAddress address = a.replies.open(new Requester(a.loop(1), new ConcurrentLinkedQueue<>()));
            ClusterReplies from = cluster.node("b").replies;
            await().until(() -> from.isOpen(address).toCompletableFuture().join());
            Responder responder = new Responder(cluster.node("b").loop(0), new ConcurrentLinkedQueue<>());
            reply(from, responder, address, 1_000, 64_000);
            cluster.kill("a");
            await().untilAsserted(() -> assertThat(responder.answered).hasSize(1_000));
            assertThat(from.isOpen(address).toCompletableFuture().join()).isFalse();
        }
    }
}
