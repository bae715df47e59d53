package io.leveret.model.view;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A node of the cluster, running or not.
 *
 * @param type always {@code disc}
 * @param partitions nodes it cannot reach although they run
 * @param role Leveret's addition: {@code broker} or {@code witness}
 * @param version Leveret's addition: its version
 * @param isRaftLeader Leveret's addition: it leads the metadata group
 * @param isPaused Leveret's addition: it has no majority and serves nobody
 * @param leaders Leveret's addition: queues it leads
 * @param mirrors Leveret's addition: queues it mirrors
 * @param counters what it has counted since it started; the HTTP API shows them beside the figures
 * @param memory what its memory is used for, in bytes; the HTTP API shows it on request
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record NodeView(
        String name,
        String type,
        @JsonProperty("running") boolean isRunning,
        List<String> partitions,
        @JsonUnwrapped @Nullable NodeFigures figures,
        @Nullable String role,
        @Nullable String version,
        @JsonProperty("raft_leader") boolean isRaftLeader,
        @JsonProperty("paused") boolean isPaused,
        int leaders,
        int mirrors,
        @Nullable CounterSet counters,
        @Nullable Map<String, Object> memory)
        implements Named {}
