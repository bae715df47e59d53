package io.leveret.model.control;

import java.util.List;

/**
 * What a policy does now: an element of {@code GET /policies/usage}.
 *
 * @param matched queues its pattern and apply-to match
 * @param applied queues it applies to
 * @param ties policies of equal priority that match some of the same queues
 */
public record PolicyUsage(String vhost, String name, int matched, int applied, List<PolicyTie> ties) {}
