package io.leveret.system;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.DefaultConsumer;
import com.rabbitmq.client.Envelope;
import com.rabbitmq.client.MessageProperties;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/**
 * A durable backlog larger than the heap of its node: filled, its node killed and started again, drained in order, while another
 * queue of that node stays quick. By hand with {@code -Dbacklog.messages=2000000 -Dbacklog.heap=256m}.
 */
class BacklogIT {
    private static final int MESSAGES = Integer.getInteger("backlog.messages", 250_000);
    private static final String HEAP = System.getProperty("backlog.heap", "192m");
    private static final int CONFIRM_EVERY = 5_000;
    private static final int BODY_BYTES = 1_000;
    private static final long MINUTES_MAX = 20;

    @Test
    void aBacklogLargerThanTheHeapOutlivesItsNodeAndIsDrainedInOrder() throws Exception {
        try (Cluster cluster = Cluster.start("backlog", 1, Map.of("LEVERET_JAVA_OPTS", "-Xmx" + HEAP))) {
            long filling = System.nanoTime();
            fill(cluster);
            System.out.printf("filled %,d messages at %,.0f/s%n", MESSAGES, rate(filling));
            otherQueueAnswers(cluster);
            cluster.kill(1);
            long starting = System.nanoTime();
            cluster.restart(1);
            System.out.printf("restarted in %.1f s%n", (System.nanoTime() - starting) / 1e9);
            long draining = System.nanoTime();
            drain(cluster);
            System.out.printf("drained at %,.0f/s%n", rate(draining));
        }
    }

    private static double rate(long since) {
        return MESSAGES * 1e9 / (System.nanoTime() - since);
    }

    private static void fill(Cluster cluster) throws Exception {
        try (Connection connection = cluster.connect(1)) {
            Channel channel = connection.createChannel();
            channel.queueDeclare("backlog", true, false, false, Map.of());
            channel.confirmSelect();
            for (int i = 0; i < MESSAGES; i++) {
                byte[] body = ByteBuffer.allocate(BODY_BYTES).putInt(i).array();
                channel.basicPublish("", "backlog", MessageProperties.MINIMAL_PERSISTENT_BASIC, body);
                if ((i + 1) % CONFIRM_EVERY == 0) {
                    channel.waitForConfirmsOrDie(60_000);
                }
            }
            channel.waitForConfirmsOrDie(60_000);
        }
    }

    private static void otherQueueAnswers(Cluster cluster) throws Exception {
        try (Connection connection = cluster.connect(1)) {
            Channel channel = connection.createChannel();
            channel.queueDeclare("small", true, false, false, Map.of());
            channel.confirmSelect();
            channel.basicPublish("", "small", MessageProperties.MINIMAL_PERSISTENT_BASIC, new byte[1]);
            channel.waitForConfirmsOrDie(30_000);
            assertThat(channel.basicGet("small", true)).isNotNull();
        }
    }

    private static void drain(Cluster cluster) throws Exception {
        AtomicLong next = new AtomicLong();
        AtomicLong wrong = new AtomicLong(-1);
        CountDownLatch done = new CountDownLatch(1);
        try (Connection connection = cluster.connect(1)) {
            Channel channel = connection.createChannel();
            assertThat(channel.queueDeclarePassive("backlog").getMessageCount()).isEqualTo(MESSAGES);
            channel.basicQos(1_000);
            channel.basicConsume("backlog", false, new DefaultConsumer(channel) {
                @Override
                public void handleDelivery(String tag, Envelope envelope, AMQP.BasicProperties properties, byte[] body)
                        throws IOException {
                    int number = ByteBuffer.wrap(body).getInt();
                    if (number != next.getAndIncrement()) {
                        wrong.compareAndSet(-1, number);
                    }
                    if (next.get() % 200 == 0 || next.get() == MESSAGES) {
                        channel.basicAck(envelope.getDeliveryTag(), true);
                    }
                    if (next.get() == MESSAGES) {
                        done.countDown();
                    }
                }
            });
            assertThat(done.await(MINUTES_MAX, TimeUnit.MINUTES))
                    .as("drained, %d so far", next.get())
                    .isTrue();
            assertThat(wrong).as("the first message out of order").hasValue(-1);
        }
    }
}
