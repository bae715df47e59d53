package io.leveret.system;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Address;
import com.rabbitmq.client.AddressResolver;
import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.ListAddressResolver;
import com.rabbitmq.client.MessageProperties;
import com.rabbitmq.client.Recoverable;
import com.rabbitmq.client.RecoveryListener;
import com.rabbitmq.client.RpcClient;
import com.rabbitmq.client.RpcClientParams;
import com.rabbitmq.client.RpcServer;
import com.rabbitmq.client.ShutdownSignalException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.awaitility.Awaitility;

/** The official Java client with its automatic recovery of connection, channels and consumers. */
final class JavaClientJob implements Exchange.Job {
    private static final int FIRST = 100;
    private static final int LAST = 200;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Set<Integer> confirmed = new ConcurrentSkipListSet<>();
    private final Map<String, Set<Integer>> received = new ConcurrentHashMap<>();
    private final BlockingQueue<Connection> recovered = new LinkedBlockingQueue<>();

    @Override
    public void run(Exchange exchange) throws Exception {
        try (Connection connection = connect(exchange)) {
            Channel channel = connection.createChannel();
            declare(channel, exchange);
            isReturned(channel, exchange);
            isRefused(connection, exchange);
            isAnswered(connection, exchange);
            consume(connection, exchange.own()); // and never looks at it again: the library brings it along
            for (int number = 0; number < LAST; number++) {
                if (number == FIRST) {
                    exchange.says("half");
                }
                publish(channel, exchange, number);
            }
            exchange.says("confirmed " + confirmed.size());
            consume(connection, exchange.shared());
            for (String queue : List.of(exchange.shared(), exchange.own())) {
                Awaitility.await("all of " + queue)
                        .atMost(PATIENCE)
                        .until(() -> received.get(queue).containsAll(confirmed));
                exchange.says("received " + queue + " " + received.get(queue).size() + " missing 0");
                channel.queueDelete(queue);
            }
            channel.exchangeDelete(exchange.name());
        }
        exchange.says("content");
    }

    private Connection connect(Exchange exchange) throws IOException, TimeoutException {
        ConnectionFactory factory = new ConnectionFactory();
        factory.setNetworkRecoveryInterval(200);
        factory.setRequestedHeartbeat(20);
        factory.setHandshakeTimeout(Cluster.HANDSHAKE_MILLIS);
        Connection connection = factory.newConnection(
                null,
                inOrder(new Address("127.0.0.1", exchange.nearPort()), new Address("127.0.0.1", exchange.farPort())),
                exchange.name());
        assertThat(connection.getPort()).isEqualTo(exchange.nearPort());
        ((Recoverable) connection).addRecoveryListener(new RecoveryListener() {
            @Override
            public void handleRecovery(Recoverable recoverable) {
                recovered.add(connection);
            }

            @Override
            public void handleRecoveryStarted(Recoverable recoverable) {}
        });
        return connection;
    }

    /** The library tries addresses in any order unless told otherwise. */
    private static AddressResolver inOrder(Address... addresses) {
        return new ListAddressResolver(List.of(addresses)) {
            @Override
            public List<Address> maybeShuffle(List<Address> input) {
                return input;
            }
        };
    }

    private static void declare(Channel channel, Exchange exchange) throws IOException {
        channel.exchangeDeclare(exchange.name(), "fanout", true);
        channel.queueDeclare(exchange.own(), true, false, false, null);
        for (String queue : List.of(exchange.shared(), exchange.own())) {
            channel.queueBind(queue, exchange.name(), "");
        }
    }

    private static void isReturned(Channel channel, Exchange exchange) throws Exception {
        BlockingQueue<Integer> codes = new LinkedBlockingQueue<>();
        channel.addReturnListener(returned -> codes.add(returned.getReplyCode()));
        channel.confirmSelect();
        channel.basicPublish("", "nowhere-at-all", true, null, new byte[1]);
        channel.waitForConfirmsOrDie(PATIENCE.toMillis());
        exchange.says("returned " + codes.poll()); // the return comes before the confirm
    }

    private static void isRefused(Connection connection, Exchange exchange) throws Exception {
        Channel wrong = connection.createChannel();
        says(exchange, () -> wrong.queueDeclare(exchange.shared(), false, false, false, null));
        Channel missing = connection.createChannel();
        says(exchange, () -> missing.queueDeclarePassive("nowhere-at-all"));
    }

    private interface Refused {
        void run() throws IOException;
    }

    private static void says(Exchange exchange, Refused action) throws Exception {
        try {
            action.run();
            exchange.says("accepted what it must refuse");
        } catch (IOException e) {
            ShutdownSignalException signal = (ShutdownSignalException) e.getCause();
            AMQP.Channel.Close close = (AMQP.Channel.Close) signal.getReason();
            exchange.says("refused " + close.getReplyCode() + " " + close.getReplyText());
        }
    }

    /** A request and its answer by direct reply-to, with the library's own server and client. */
    private static void isAnswered(Connection connection, Exchange exchange) throws Exception {
        Channel serving = connection.createChannel();
        RpcServer server = new RpcServer(serving, serving.queueDeclare().getQueue()) {
            @Override
            public byte[] handleCall(byte[] request, AMQP.BasicProperties answer) {
                return new String(request).toUpperCase(Locale.ROOT).getBytes();
            }
        };
        Thread loop = new Thread(() -> {
            try {
                server.mainloop();
            } catch (IOException | ShutdownSignalException e) {
                throw new AssertionError(e);
            }
        });
        loop.start();
        RpcClient client = new RpcClient(new RpcClientParams()
                .channel(connection.createChannel())
                .exchange("")
                .routingKey(server.getQueueName())
                .replyTo("amq.rabbitmq.reply-to")
                .timeout((int) PATIENCE.toMillis()));
        exchange.says("answered " + client.stringCall("ping"));
        client.close();
        server.terminateMainloop();
        serving.close(); // wakes the loop
        loop.join(PATIENCE.toMillis());
    }

    private void consume(Connection connection, String queue) throws IOException {
        received.put(queue, new ConcurrentSkipListSet<>());
        Channel reader = connection.createChannel();
        reader.basicQos(50);
        reader.basicConsume(
                queue,
                false,
                (tag, delivery) -> {
                    received.get(queue).add(Integer.parseInt(new String(delivery.getBody())));
                    try {
                        reader.basicAck(delivery.getEnvelope().getDeliveryTag(), false);
                    } catch (AlreadyClosedException e) {
                        System.out.println("not acked, so it will come again: " + e.getMessage());
                    }
                },
                tag -> {});
    }

    /** Until it is confirmed, over the loss of the connection too. */
    private void publish(Channel channel, Exchange exchange, int number) throws Exception {
        while (!confirmed.contains(number)) {
            try {
                channel.basicPublish(
                        exchange.name(),
                        "",
                        MessageProperties.MINIMAL_PERSISTENT_BASIC,
                        String.valueOf(number).getBytes());
                // Nacked, which promises nothing, when a queue has had no leader for long: once more.
                if (channel.waitForConfirms(PATIENCE.toMillis())) {
                    confirmed.add(number);
                }
            } catch (ShutdownSignalException | IOException e) {
                exchange.says("lost " + e.getClass().getSimpleName());
                Connection connection = recovered.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
                assertThat(connection).as("the recovered connection").isNotNull();
                assertThat(connection.getPort()).isEqualTo(exchange.farPort());
                exchange.says("back");
            }
        }
    }
}
