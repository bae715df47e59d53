package io.leveret.node.metrics;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.leveret.model.view.ChannelView;
import io.leveret.model.view.ConnectionReference;
import io.leveret.model.view.ConnectionView;
import io.leveret.model.view.CounterSet;
import io.leveret.model.view.NodeFigures;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What one node says of itself to the one that answers a client. Parts that were not asked for are absent.
 *
 * @param queues those that it leads
 * @param churn how many connections, channels and queues came and went
 * @param owners the connections that own exclusive queues among them, by their ids
 * @param memory what the memory is used for, in bytes
 * @param counters what the process has counted since it started
 * @param totals sums of what is left out then
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record NodeReport(
        String node,
        @Nullable List<QueueReport> queues,
        @Nullable Map<String, ConnectionReference> owners,
        @Nullable List<ConnectionView> connections,
        @Nullable List<ChannelView> channels,
        @Nullable List<ConsumerReport> consumers,
        @Nullable NodeFigures figures,
        @Nullable CounterSet churn,
        @Nullable CounterSet counters,
        @Nullable Map<String, Object> memory,
        @Nullable List<ExchangeReport> exchanges,
        @Nullable String version,
        boolean isPaused,
        @Nullable NodeTotals totals) {

    /** What can be asked for. */
    public enum Part {
        QUEUES,
        CONNECTIONS,
        CHANNELS,
        /** What channels publish where. */
        DETAILS,
        EXCHANGES,
        NODE,
        /** Sums in place of queues, connections and channels. */
        TOTALS
    }
}
