package io.leveret.system;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.ShutdownSignalException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.springframework.amqp.AmqpException;
import org.springframework.amqp.core.Binding;
import org.springframework.amqp.core.BindingBuilder;
import org.springframework.amqp.core.FanoutExchange;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.Queue;
import org.springframework.amqp.core.QueueBuilder;
import org.springframework.amqp.rabbit.connection.AbstractConnectionFactory;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.amqp.rabbit.connection.CorrelationData;
import org.springframework.amqp.rabbit.core.RabbitAdmin;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.amqp.rabbit.listener.AbstractMessageListenerContainer;
import org.springframework.amqp.rabbit.listener.DirectMessageListenerContainer;
import org.springframework.amqp.rabbit.listener.SimpleMessageListenerContainer;
import org.springframework.amqp.rabbit.listener.adapter.MessageListenerAdapter;

/** Spring AMQP: admin, template with correlated confirms and returns, both listener containers, send and receive. */
final class SpringAmqpJob implements Exchange.Job {
    private static final int FIRST = 100;
    private static final int LAST = 200;
    private static final int ATTEMPTS_MAX = 100;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Set<Integer> confirmed = new ConcurrentSkipListSet<>();
    private final Map<String, Set<Integer>> received = new ConcurrentHashMap<>();
    private final BlockingQueue<Integer> returned = new LinkedBlockingQueue<>();
    private final AtomicInteger connections = new AtomicInteger();
    private boolean isBack;

    @Override
    public void run(Exchange exchange) throws Exception {
        CachingConnectionFactory factory = new CachingConnectionFactory();
        factory.setAddresses("127.0.0.1:" + exchange.nearPort() + ",127.0.0.1:" + exchange.farPort());
        factory.setAddressShuffleMode(AbstractConnectionFactory.AddressShuffleMode.NONE);
        factory.setPublisherConfirmType(CachingConnectionFactory.ConfirmType.CORRELATED);
        factory.setPublisherReturns(true);
        factory.addConnectionListener(connection -> connections.incrementAndGet());
        RabbitAdmin admin = new RabbitAdmin(factory);
        RabbitTemplate template = new RabbitTemplate(factory);
        template.setMandatory(true);
        template.setReturnsCallback(message -> returned.add(message.getReplyCode()));
        declare(admin, exchange);
        AbstractMessageListenerContainer own = listen(new SimpleMessageListenerContainer(factory), exchange.own());
        AbstractMessageListenerContainer shared =
                listen(new DirectMessageListenerContainer(factory), exchange.shared());
        try {
            own.start(); // and is never looked at again: the library brings it along
            template.convertAndSend("", "nowhere-at-all", "x");
            exchange.says("returned " + returned.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS));
            isRefused(admin, template, exchange);
            isAnswered(factory, admin, template, exchange);
            for (int number = 0; number < LAST; number++) {
                if (number == FIRST) {
                    exchange.says("half");
                }
                publish(template, exchange, number);
            }
            exchange.says("confirmed " + confirmed.size());
            shared.start();
            for (String queue : List.of(exchange.shared(), exchange.own())) {
                Awaitility.await("all of " + queue)
                        .atMost(PATIENCE)
                        .until(() -> received.get(queue).containsAll(confirmed));
                exchange.says("received " + queue + " " + received.get(queue).size() + " missing 0");
            }
        } finally {
            own.stop();
            shared.stop();
        }
        admin.deleteQueue(exchange.shared());
        admin.deleteQueue(exchange.own());
        admin.deleteExchange(exchange.name());
        factory.destroy();
        exchange.says("content");
    }

    private static void declare(RabbitAdmin admin, Exchange exchange) {
        FanoutExchange fanout = new FanoutExchange(exchange.name());
        Queue own = QueueBuilder.durable(exchange.own())
                .withArgument("x-queue-master-locator", "client-local")
                .build();
        admin.declareExchange(fanout);
        admin.declareQueue(own);
        for (String queue : List.of(exchange.shared(), exchange.own())) {
            admin.declareBinding(new Binding(queue, Binding.DestinationType.QUEUE, exchange.name(), "", null));
        }
        admin.declareBinding(BindingBuilder.bind(own).to(fanout)); // a second time, as at every start
    }

    private AbstractMessageListenerContainer listen(AbstractMessageListenerContainer container, String queue) {
        received.put(queue, new ConcurrentSkipListSet<>());
        container.setQueueNames(queue);
        container.setPrefetchCount(20);
        container.setRecoveryInterval(200);
        container.setMessageListener(message -> received.get(queue).add(Integer.parseInt(text(message))));
        return container;
    }

    private static String text(Message message) {
        return new String(message.getBody());
    }

    private static void isRefused(RabbitAdmin admin, RabbitTemplate template, Exchange exchange) throws Exception {
        try {
            template.execute(channel -> channel.queueDeclare(exchange.shared(), false, false, false, null));
            exchange.says("accepted what it must refuse");
        } catch (AmqpException e) {
            ShutdownSignalException signal =
                    (ShutdownSignalException) e.getCause().getCause();
            AMQP.Channel.Close close = (AMQP.Channel.Close) signal.getReason();
            exchange.says("refused " + close.getReplyCode() + " " + close.getReplyText());
        }
        assertThat(admin.getQueueInfo("nowhere-at-all")).isNull();
        exchange.says("refused 404, which the admin takes for \"there is none\"");
    }

    /** The template asks by direct reply-to when the broker has it. */
    private static void isAnswered(
            CachingConnectionFactory factory, RabbitAdmin admin, RabbitTemplate template, Exchange exchange)
            throws Exception {
        String questions = admin.declareQueue().getName();
        SimpleMessageListenerContainer answering = new SimpleMessageListenerContainer(factory);
        answering.setQueueNames(questions);
        answering.setMessageListener(new MessageListenerAdapter(new Object() {
            @SuppressWarnings("unused") // called by name
            public String handleMessage(String question) {
                return question.toUpperCase(Locale.ROOT);
            }
        }));
        answering.start();
        template.setReplyTimeout(PATIENCE.toMillis());
        exchange.says("answered " + template.convertSendAndReceive("", questions, "ping"));
        answering.stop();
    }

    /** Until it is confirmed, over the loss of the connection too: the factory makes another one by itself. */
    private void publish(RabbitTemplate template, Exchange exchange, int number) throws Exception {
        for (int attempt = 0; !confirmed.contains(number); attempt++) {
            assertThat(attempt).as("attempts to publish").isLessThan(ATTEMPTS_MAX);
            try {
                CorrelationData correlation = new CorrelationData(String.valueOf(number));
                template.convertAndSend(exchange.name(), "", String.valueOf(number), correlation);
                if (correlation
                        .getFuture()
                        .get(PATIENCE.toSeconds(), TimeUnit.SECONDS)
                        .ack()) {
                    confirmed.add(number);
                }
            } catch (AmqpException | ExecutionException e) {
                System.out.println("not published, so it is tried again: " + e.getMessage());
            }
        }
        if (!isBack && connections.get() >= 2) {
            isBack = true;
            exchange.says("lost");
            exchange.says("back");
        }
    }
}
