package io.leveret.model.view;

import java.util.Map;

/** The limits of a user: {@code max-connections}, {@code max-channels}. */
public record UserLimitsView(String user, Map<String, Integer> value) {}
