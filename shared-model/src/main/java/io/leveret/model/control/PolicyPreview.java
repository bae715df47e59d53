package io.leveret.model.control;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What saving a policy would do: the answer to {@code POST /policies/preview}. Computed by the planner that would carry it
 * out.
 *
 * @param matched queues that its pattern and apply-to match
 * @param applied queues it would apply to
 * @param leadersMoved queues whose leader would move to another node
 * @param mirrorsAdded copies that would be made
 * @param mirrorsDropped copies that would go, after the new ones are in sync
 * @param bytesToCopy bytes of messages that new copies need
 * @param lessSafe queues that have fewer copies in sync on the way or afterwards
 * @param ties policies of equal priority on the same queues
 * @param queues the queues that change, worst first, at most 100
 */
public record PolicyPreview(
        int matched,
        int applied,
        @JsonProperty("leaders_moved") int leadersMoved,
        @JsonProperty("mirrors_added") int mirrorsAdded,
        @JsonProperty("mirrors_dropped") int mirrorsDropped,
        @JsonProperty("bytes_to_copy") long bytesToCopy,
        @JsonProperty("less_safe") int lessSafe,
        List<PolicyTie> ties,
        List<QueueChange> queues) {

    /**
     * What would change for one queue.
     *
     * @param before its nodes now, the leader first
     * @param after its nodes afterwards, the leader first
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record QueueChange(String name, @Nullable String policy, List<String> before, List<String> after) {}
}
