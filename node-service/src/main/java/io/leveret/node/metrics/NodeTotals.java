package io.leveret.node.metrics;

import io.leveret.model.view.MessageStats;
import io.leveret.model.view.OverviewView.QueueTotals;

/** What one node has in all: of the queues that it leads, and of its clients. */
public record NodeTotals(QueueTotals queues, MessageStats stats, int connections, int channels, int consumers) {}
