package io.leveret.node.broker.vhost;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leveret.model.ExchangeName;
import io.leveret.model.QueueName;
import io.leveret.model.VhostName;
import io.leveret.model.definition.ExchangeDefinition;
import io.leveret.model.definition.VhostDefinition;
import io.leveret.node.broker.definitions.DefinitionChange;
import io.leveret.node.broker.definitions.InMemoryDefinitions;
import io.leveret.node.broker.message.Message;
import io.leveret.node.broker.message.MessageProperties;
import io.leveret.node.broker.queue.QueueHandle;
import io.leveret.node.broker.vhost.BrokerException.Kind;
import io.leveret.node.runtime.Randomness;
import io.leveret.node.runtime.SerialExecutor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.BeforeEach;

/** A vhost over definitions in memory, and queues that store what they are given. */
abstract class VhostFixture {
    static final VhostName ROOT = new VhostName("/");
    static final String ME = "rabbit1@localhost/3/7";
    static final String OTHER = "rabbit2@localhost/1/7";

    final InMemoryDefinitions definitions = new InMemoryDefinitions();
    final Map<QueueName, StoredQueue> queues = new ConcurrentHashMap<>();
    final List<Runnable> timers = new ArrayList<>();
    VirtualHosts vhosts;
    VirtualHost vhost;

    @BeforeEach
    void createVhost() {
        definitions.agree(new DefinitionChange.PutVhost(new VhostDefinition(ROOT, "", List.of())));
        SerialExecutor executor = new ManualExecutor(timers);
        Random random = new Random(5);
        Randomness randomness = new Randomness() {
            @Override
            public void fill(byte[] bytes) {
                random.nextBytes(bytes);
            }

            @Override
            public long nextLong() {
                return random.nextLong();
            }
        };
        vhosts = new VirtualHosts(new VirtualHosts.Services(definitions, this::find, executor, randomness));
        vhost = vhosts.find(ROOT);
    }

    QueueHandle find(QueueName name) {
        if (definitions.image().queue(name) == null) {
            queues.remove(name);
            return null;
        }
        return queues.computeIfAbsent(name, StoredQueue::new);
    }

    static <T> T now(CompletionStage<T> stage) {
        return stage.toCompletableFuture().join();
    }

    static void assertRefused(CompletionStage<?> stage, Kind kind, String reason) {
        assertThatThrownBy(() -> now(stage))
                .isInstanceOf(CompletionException.class)
                .cause()
                .isInstanceOfSatisfying(BrokerException.class, refusal -> {
                    assertThat(refusal.getMessage()).isEqualTo(reason);
                    assertThat(refusal.kind()).isEqualTo(kind);
                });
    }

    static QueueDeclaration queue(String name, Object... arguments) {
        return new QueueDeclaration(name, false, true, false, false, map(arguments));
    }

    static Map<String, Object> map(Object... keysAndValues) {
        Map<String, Object> map = new HashMap<>();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            map.put((String) keysAndValues[i], keysAndValues[i + 1]);
        }
        return map;
    }

    static QueueDeclaration exclusive(String name) {
        return new QueueDeclaration(name, false, false, true, false, Map.of());
    }

    static ExchangeDefinition exchange(String name, String type, Object... arguments) {
        return new ExchangeDefinition(ExchangeName.of("/", name), type, true, false, false, map(arguments));
    }

    void declare(String... names) {
        for (String name : names) {
            now(vhost.declareQueue(queue(name), ME));
        }
    }

    static Message message(String exchange, String key, Object... headers) {
        byte[] header = headers.length == 0
                ? MessageProperties.NONE
                : MessageProperties.builder().headers(map(headers)).toBytes();
        return new Message(exchange, key, header, new byte[] {1}, false);
    }

    List<String> routed(String exchange, String key, Object... headers) {
        return vhost.route(message(exchange, key, headers)).queues().stream()
                .map(handle -> handle.name().value())
                .sorted()
                .toList();
    }
}
