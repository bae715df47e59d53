package io.leveret.node.cluster.remote;

import io.leveret.node.broker.queue.Publisher;
import io.leveret.node.broker.queue.QueueHandle;
import io.leveret.node.runtime.SerialExecutor;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** A channel that publishes to one queue. */
final class TestPublisher implements Publisher {
    private static final AtomicLong SERIALS = new AtomicLong();

    private final long serial = SERIALS.incrementAndGet();
    private final QueueHandle queue;
    private final SerialExecutor executor;
    final Set<Long> confirmed = ConcurrentHashMap.newKeySet();
    final Set<Long> refused = ConcurrentHashMap.newKeySet();
    final Set<Long> answeredTwice = ConcurrentHashMap.newKeySet();
    final AtomicLong published = new AtomicLong();

    TestPublisher(QueueHandle queue, SerialExecutor executor) {
        this.queue = queue;
        this.executor = executor;
    }

    /** Publishes so many messages with the bodies prefix1, prefix2 … by number, in one batch. */
    void publish(int count, String prefix, boolean isPersistent) {
        executor.execute(() -> {
            for (int i = 0; i < count; i++) {
                long number = published.incrementAndGet();
                queue.publish(this, number, ClusterFixture.message(prefix + number, isPersistent));
            }
        });
    }

    void close() {
        executor.execute(() -> queue.publisherClosed(this));
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
        executor.assertInside();
        boolean isFirst = !confirmed.contains(number) && !refused.contains(number);
        (isFirst ? isConfirmed ? confirmed : refused : answeredTwice).add(number);
    }
}
