package io.leveret.model.view;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;

/**
 * A queue's copies and the numbers behind them: Leveret's addition to a queue's view.
 *
 * @param epoch number of the present leadership
 * @param isLeaderOpen the leader has its messages and serves clients
 * @param abandoned messages that the last unclean promotion left behind
 * @param replicas every copy, the leader first
 */
public record ReplicationView(
        long epoch, @JsonProperty("leader_open") boolean isLeaderOpen, long abandoned, List<ReplicaView> replicas) {}
