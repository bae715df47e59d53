package io.leveret.node.metrics;

import io.leveret.model.view.ConsumerView;

/** A consumer as its channel knows it, and the id under which its queue knows it. */
public record ConsumerReport(String consumerId, ConsumerView view) {}
