package io.leveret.model.view;

import java.util.Map;

/** The limits of a vhost: {@code max-connections}, {@code max-queues}. */
public record VhostLimitsView(String vhost, Map<String, Integer> value) {}
