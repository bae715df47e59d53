package io.leveret.node.broker.vhost;

import io.leveret.model.QueueName;
import io.leveret.model.VhostName;
import io.leveret.model.definition.PolicyKeys;
import io.leveret.model.definition.QueueDefinition;
import io.leveret.node.broker.definitions.Definitions;
import io.leveret.node.broker.definitions.DefinitionsImage;
import io.leveret.node.broker.definitions.EffectivePolicy;
import io.leveret.node.broker.definitions.PolicyMatcher;
import io.leveret.node.broker.message.Message;
import io.leveret.node.broker.message.MessageId;
import io.leveret.node.broker.queue.DeadLetterSink;
import io.leveret.node.broker.queue.Publisher;
import io.leveret.node.broker.queue.QueueEvent;
import io.leveret.node.broker.queue.QueueHandle;
import io.leveret.node.runtime.NodeClock;
import io.leveret.node.runtime.SerialExecutor;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes the dead letters of the queues that this node leads to their dead-letter exchanges. Which exchange that is, is looked
 * up for each message, as policies may change it. Without such an exchange, or a queue bound to it, the message is gone.
 */
public final class DeadLetterRouter {
    private static final Logger LOG = LoggerFactory.getLogger(DeadLetterRouter.class);
    /** Publishers of clients have numbers from 1 on: these never meet them. */
    private static final long FIRST_SERIAL = 1L << 61;
    /** A target that refuses (it is full, or has no leader) is tried again this often: then the message is given up. */
    private static final int TRIES_MAX = 5;

    private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final VirtualHosts vhosts;
    private final Definitions definitions;
    private final NodeClock clock;
    private final AtomicLong serials = new AtomicLong(FIRST_SERIAL);

    public DeadLetterRouter(VirtualHosts vhosts, Definitions definitions, NodeClock clock) {
        this.vhosts = vhosts;
        this.definitions = definitions;
        this.clock = clock;
    }

    /** The way out of one queue. Everything happens on the queue's executor. */
    public DeadLetterSink sinkOf(QueueName queue, SerialExecutor executor) {
        return new Sink(queue, executor, serials.getAndIncrement());
    }

    /** Where dead letters of a queue go: argument before policy. */
    record Target(String exchange, @Nullable String routingKey) {
        static @Nullable Target of(QueueDefinition queue, DefinitionsImage image) {
            Object exchange = queue.arguments().get("x-dead-letter-exchange");
            Object key = queue.arguments().get("x-dead-letter-routing-key");
            if (exchange == null || key == null) {
                VhostName vhost = queue.name().vhost();
                EffectivePolicy policy = new PolicyMatcher(
                                image.policies(vhost).values(),
                                image.operatorPolicies(vhost).values())
                        .forQueue(queue);
                exchange = exchange == null ? policy.text(PolicyKeys.DEAD_LETTER_EXCHANGE) : exchange;
                key = key == null ? policy.text(PolicyKeys.DEAD_LETTER_ROUTING_KEY) : key;
            }
            return exchange instanceof String name ? new Target(name, key instanceof String text ? text : null) : null;
        }
    }

    /** One queue's dead letters, under way until every target has answered. */
    private final class Sink implements DeadLetterSink, Publisher {
        private final QueueName queue;
        private final SerialExecutor executor;
        private final long serial;
        /** By number of the publish; bounded by what the queue lets fly at a time. */
        private final Map<Long, Flying> flying = new HashMap<>();

        private @Nullable DefinitionsImage seen;
        private @Nullable Target target;
        private long lastNumber;

        Sink(QueueName queue, SerialExecutor executor, long serial) {
            this.queue = queue;
            this.executor = executor;
            this.serial = serial;
        }

        @Override
        public void deadLetter(@Nullable MessageId id, Message message, QueueEvent.Reason why, Runnable committed) {
            Target to = target();
            VirtualHost vhost = vhosts.find(queue.vhost());
            Message dead = to == null ? null : DeathHeaders.dead(message, queue, why, to, clock.currentTimeMillis());
            if (vhost == null || dead == null) {
                executor.execute(committed);
                return;
            }
            publish(vhost, dead, new Flying(committed, dead));
        }

        private @Nullable Target target() {
            DefinitionsImage image = definitions.image();
            if (!isSeen(image)) {
                QueueDefinition definition = image.queue(queue);
                target = definition == null ? null : Target.of(definition, image);
                seen = image;
            }
            return target;
        }

        @SuppressWarnings("ReferenceEquality") // the image is another object whenever anything in it is
        private boolean isSeen(DefinitionsImage image) {
            return seen == image;
        }

        private void publish(VirtualHost vhost, Message dead, Flying letter) {
            List<QueueHandle> targets;
            Message routed;
            try {
                Routed route = vhost.routeInside(dead);
                targets = route.queues();
                routed = route.message();
            } catch (BrokerException e) {
                LOG.debug("dead letter of {} has no exchange: {}", queue, e.getMessage());
                executor.execute(letter.committed);
                return;
            }
            if (targets.isEmpty()) {
                executor.execute(letter.committed);
                return;
            }
            long number = ++lastNumber;
            letter.left = targets.size();
            letter.isRefused = false;
            letter.tries++;
            flying.put(number, letter);
            targets.forEach(each -> each.publish(this, number, routed));
        }

        @Override
        public long channelSerial() {
            return serial;
        }

        @Override
        public SerialExecutor executor() {
            return executor;
        }

        @Override
        public void answered(long number, boolean isConfirmed) {
            Flying letter = flying.get(number);
            if (letter == null) {
                return;
            }
            letter.isRefused |= !isConfirmed;
            if (--letter.left > 0) {
                return;
            }
            flying.remove(number);
            if (letter.isRefused && letter.tries < TRIES_MAX) {
                executor.schedule(() -> again(letter), RETRY_NANOS);
                return;
            }
            if (letter.isRefused) {
                LOG.warn("a dead letter of {} was refused {} times and is dropped", queue, letter.tries);
            }
            letter.committed.run();
        }

        private void again(Flying letter) {
            VirtualHost vhost = vhosts.find(queue.vhost());
            if (vhost == null) {
                letter.committed.run();
            } else {
                publish(vhost, letter.message, letter);
            }
        }
    }

    /** A dead letter that was published and not yet answered by all. */
    private static final class Flying {
        private final Runnable committed;
        private final Message message;
        private int left;
        private int tries;
        private boolean isRefused;

        Flying(Runnable committed, Message message) {
            this.committed = committed;
            this.message = message;
        }
    }
}
