package io.leveret.node.metrics;

import io.leveret.model.QueueName;
import io.leveret.model.view.MessageStats;
import io.leveret.model.view.MessageStats.Count;
import io.leveret.model.view.MessageStats.Counter;
import io.leveret.model.view.QueueFigures;
import io.leveret.node.broker.queue.QueueStatistics;
import io.leveret.node.broker.queue.QueueStatistics.ConsumerStatistics;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** What the leaders of queues count, as the views show it. Any thread. */
final class QueueReports {
    private final Rates rates;

    QueueReports(Rates rates) {
        this.rates = rates;
    }

    QueueReport report(QueueName name, QueueStatistics queue) {
        String id = name.vhost() + "/" + name.value();
        List<ConsumerStatistics> consumers = queue.consumers();
        return new QueueReport(
                name.vhost().value(),
                name.value(),
                figures(id, queue),
                queueStats(id, queue),
                LocalFigures.TIMES.format(Instant.ofEpochMilli(queue.idleSinceMillis())),
                consumers.stream()
                        .filter(ConsumerStatistics::isActive)
                        .map(ConsumerStatistics::consumerId)
                        .collect(Collectors.toSet()),
                consumers.stream()
                        .filter(ConsumerStatistics::isExclusive)
                        .map(ConsumerStatistics::consumerTag)
                        .findFirst()
                        .orElse(null),
                consumers.stream()
                        .filter(ConsumerStatistics::isActive)
                        .map(ConsumerStatistics::consumerTag)
                        .toList(),
                queue.headTimestamp());
    }

    private QueueFigures figures(String id, QueueStatistics queue) {
        long messages = queue.ready() + queue.unacked();
        long bytes = queue.readyBytes() + queue.unackedBytes();
        // Which of the bodies in memory are out for delivery is not counted: what is ready is what is kept there.
        long readyInMemory = Math.min(queue.ready(), queue.messagesInMemory());
        double capacity = queue.consumers().isEmpty() ? 0 : rates.average(id, "served", queue.isServed() ? 1 : 0);
        return new QueueFigures(
                messages,
                rates.gauge(id, "messages", messages),
                queue.ready(),
                rates.gauge(id, "messages_ready", queue.ready()),
                queue.unacked(),
                rates.gauge(id, "messages_unacknowledged", queue.unacked()),
                queue.persistentMessages(),
                queue.deadLettering() == 0 ? null : queue.deadLettering(),
                queue.messagesInMemory(),
                readyInMemory,
                queue.messagesInMemory() - readyInMemory,
                messages - queue.messagesInMemory(),
                bytes,
                queue.readyBytes(),
                queue.unackedBytes(),
                queue.persistentBytes(),
                queue.bytesInMemory(),
                Math.max(0, bytes - queue.bytesInMemory()),
                queue.consumers().size(),
                capacity,
                capacity,
                queue.bytesInMemory());
    }

    private MessageStats queueStats(String id, QueueStatistics queue) {
        Map<Counter, Count> counts = new EnumMap<>(Counter.class);
        if (queue.published() > 0) {
            rates.count(counts, id, Counter.PUBLISH, queue.published());
        }
        long given = queue.delivered() + queue.deliveredNoAck() + queue.got() + queue.gotNoAck();
        if (given > 0) {
            rates.count(counts, id, Counter.ACK, queue.acked());
            rates.count(counts, id, Counter.DELIVER, queue.delivered());
            rates.count(counts, id, Counter.DELIVER_NO_ACK, queue.deliveredNoAck());
            rates.count(counts, id, Counter.GET, queue.got());
            rates.count(counts, id, Counter.GET_NO_ACK, queue.gotNoAck());
            rates.count(counts, id, Counter.GET_EMPTY, 0);
            rates.count(counts, id, Counter.DELIVER_GET, given);
            rates.count(counts, id, Counter.REDELIVER, queue.redelivered());
        }
        return new MessageStats(counts);
    }
}
