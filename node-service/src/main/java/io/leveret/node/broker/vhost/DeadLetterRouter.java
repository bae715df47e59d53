package io.leveret.node.broker.vhost;

import io.leveret.model.QueueName;
import io.leveret.node.broker.definitions.Definitions;
import io.leveret.node.broker.definitions.PolicyMatchers;
import io.leveret.node.broker.queue.DeadLetterSink;
import io.leveret.node.broker.queue.LetterSource;
import io.leveret.node.runtime.NodeClock;
import io.leveret.node.runtime.SerialExecutor;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Publishes the dead letters of the queues that this node leads to their dead-letter exchanges. Any thread; each sink belongs
 * to its queue's executor.
 */
public final class DeadLetterRouter {
    /** Publishers of clients have numbers from 1 on: these never meet them. */
    private static final long FIRST_SERIAL = 1L << 61;

    private final VirtualHosts vhosts;
    private final Definitions definitions;
    private final NodeClock clock;
    private final PolicyMatchers policies = new PolicyMatchers();
    private final AtomicLong serials = new AtomicLong(FIRST_SERIAL);

    public DeadLetterRouter(VirtualHosts vhosts, Definitions definitions, NodeClock clock) {
        this.vhosts = vhosts;
        this.definitions = definitions;
        this.clock = clock;
    }

    VirtualHosts vhosts() {
        return vhosts;
    }

    Definitions definitions() {
        return definitions;
    }

    PolicyMatchers policies() {
        return policies;
    }

    NodeClock clock() {
        return clock;
    }

    /** The way out of one queue for one leadership. Everything happens on the queue's executor. */
    public DeadLetterSink sinkOf(QueueName queue, LetterSource source, SerialExecutor executor) {
        return new DeadLetterPublisher(this, queue, source, executor, serials.getAndIncrement());
    }
}
