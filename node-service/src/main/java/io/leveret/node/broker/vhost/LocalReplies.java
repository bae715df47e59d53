package io.leveret.node.broker.vhost;

import io.leveret.node.broker.message.Message;
import io.leveret.node.broker.queue.Publisher;
import io.leveret.node.runtime.Randomness;
import io.leveret.node.runtime.SerialExecutor;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/** The channels of this node that await answers. Any thread. Bound: one for each open channel. */
public final class LocalReplies implements ReplyRoutes {
    private final Randomness randomness;
    private final IntSupplier nodeNumber;
    private final AtomicLong numbers = new AtomicLong();
    private final ConcurrentMap<Long, Open> open = new ConcurrentHashMap<>();

    /** @param nodeNumber of this node, asked when a channel begins to await answers */
    public LocalReplies(Randomness randomness, IntSupplier nodeNumber) {
        this.randomness = randomness;
        this.nodeNumber = nodeNumber;
    }

    private record Open(ReplyAddress address, ReplyConsumer consumer) {}

    @Override
    public ReplyAddress open(ReplyConsumer consumer) {
        byte[] random = new byte[ReplyAddress.KEY_BYTES];
        randomness.fill(random);
        ReplyAddress address =
                new ReplyAddress(nodeNumber.getAsInt(), numbers.incrementAndGet(), ReplyAddress.key(random));
        open.put(address.number(), new Open(address, consumer));
        return address;
    }

    @Override
    public void close(ReplyAddress address) {
        open.remove(address.number());
    }

    /** The consumer at an address of this node; null when it is gone, or the address is forged. */
    public @Nullable ReplyConsumer find(ReplyAddress address) {
        Open found = open.get(address.number());
        return found != null && found.address.hasKey(address.key()) ? found.consumer : null;
    }

    @Override
    public void deliver(Publisher publisher, long number, ReplyAddress to, Message message) {
        ReplyConsumer consumer = find(to);
        SerialExecutor here = publisher.executor();
        if (consumer == null) {
            publisher.answered(number, true);
        } else if (consumer.executor() == here) {
            consumer.deliver(message);
            publisher.answered(number, true);
        } else {
            here.handOver(consumer.executor(), () -> {
                consumer.deliver(message);
                consumer.executor().handOver(here, () -> publisher.answered(number, true));
            });
        }
    }

    @Override
    public CompletionStage<Boolean> isOpen(ReplyAddress address) {
        return CompletableFuture.completedFuture(find(address) != null);
    }
}
