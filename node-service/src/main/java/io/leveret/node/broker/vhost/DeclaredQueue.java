package io.leveret.node.broker.vhost;

import io.leveret.model.QueueName;
import io.leveret.node.broker.queue.QueueCounts;

/** What queue.declare-ok tells. */
public record DeclaredQueue(QueueName name, QueueCounts counts) {}
