package io.leveret.node.metrics;

import io.leveret.model.view.MessageStats;

/** What the clients of one node have published to an exchange. */
public record ExchangeReport(String vhost, String name, MessageStats stats) {}
