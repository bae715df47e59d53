package io.leveret.node.amqp.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import io.leveret.model.QueueName;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A queue that went with its last consumer, while the nodes have not heard yet that it is gone. */
@Timeout(120)
class AutoDeleteClientTest {
    private static final QueueName QUEUE = QueueName.of("/", "q");
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @TempDir
    private Path folder;

    private final ExecutorService client = Executors.newSingleThreadExecutor();
    private final CompletableFuture<Void> heard = new CompletableFuture<>();
    private ClusterBroker cluster;
    private Connection connection;
    private Channel channel;
    private Channel other;

    @BeforeEach
    void start() throws Exception {
        cluster = new ClusterBroker(folder);
        ConnectionFactory factory = new ConnectionFactory();
        factory.setHost("127.0.0.1");
        factory.setPort(cluster.other.port);
        factory.setAutomaticRecoveryEnabled(false);
        factory.setChannelRpcTimeout((int) PATIENCE.toMillis());
        connection = factory.newConnection("test");
        channel = connection.createChannel();
        other = connection.createChannel();
        other.queueDeclare("r", false, false, false, Map.of());
    }

    @AfterEach
    void stop() throws Exception {
        heard.complete(null);
        connection.abort(2_000);
        client.shutdownNow();
        cluster.close();
    }

    /** Time enough for it to tell of the queue that is gone, if it were to do so. */
    private void theLeaderAnswersWhatItDoes() throws Exception {
        for (int i = 0; i < 20; i++) {
            assertThat(other.messageCount("r")).isZero();
        }
    }

    private void declare() throws Exception {
        channel.queueDeclare("q", false, false, true, Map.of());
    }

    /** Neither node hears that the queue is gone, though that is agreed. */
    private Future<Void> lastConsumerLeaves(boolean isAutoAck) throws Exception {
        declare();
        String tag = channel.basicConsume("q", isAutoAck, (tagOf, delivery) -> {}, tagOf -> {});
        cluster.leader.store.hearNothingUntil(heard);
        cluster.other.store.hearNothingUntil(heard);
        Future<Void> cancelled = started(() -> channel.basicCancel(tag));
        await().atMost(PATIENCE).until(() -> cluster.metadata.image().placement(QUEUE) == null);
        return cancelled;
    }

    private interface Step {
        void run() throws Exception;
    }

    private Future<Void> started(Step step) {
        Callable<Void> task = () -> {
            step.run();
            return null;
        };
        return client.submit(task);
    }

    private static void ends(Future<Void> step) throws Exception {
        step.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }

    @Test
    void whoDeclaresItAgainGetsANewOneThatIsThereForTheNextCommand() throws Exception {
        ends(lastConsumerLeaves(false));
        Future<Void> bound = started(() -> {
            declare();
            channel.queueBind("q", "amq.direct", "key");
        });
        theLeaderAnswersWhatItDoes();
        heard.complete(null);
        ends(bound);
        channel.basicPublish("amq.direct", "key", null, new byte[1]);
        await().atMost(PATIENCE).until(() -> channel.messageCount("q") == 1);
    }

    @Test
    void whoLooksForItDoesNotFindIt() throws Exception {
        ends(lastConsumerLeaves(false));
        Future<Void> looked = started(() -> channel.queueDeclarePassive("q"));
        theLeaderAnswersWhatItDoes();
        heard.complete(null);
        assertThatThrownBy(() -> ends(looked))
                .rootCause()
                .hasMessageContaining("NOT_FOUND - no queue 'q' in vhost '/'");
    }

    @Test
    void theEndOfAConsumerThatDoesNotAckIsConfirmedWhenTheQueueIsGone() throws Exception {
        Future<Void> cancelled = lastConsumerLeaves(true);
        heard.complete(null);
        ends(cancelled);
        assertThat(cluster.other.store.image().queue(QUEUE)).isNull();
    }
}
