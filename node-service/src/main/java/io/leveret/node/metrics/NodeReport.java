package io.leveret.node.metrics;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.leveret.model.view.ChannelView;
import io.leveret.model.view.ConnectionView;
import io.leveret.model.view.NodeFigures;
import io.leveret.model.view.OverviewView.ChurnRates;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one node says of itself to the one that answers a client. Parts that were not asked for are absent.
 *
 * @param queues those that it leads
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record NodeReport(
        String node,
        @Nullable List<QueueReport> queues,
        @Nullable List<ConnectionView> connections,
        @Nullable List<ChannelView> channels,
        @Nullable List<ConsumerReport> consumers,
        @Nullable NodeFigures figures,
        @Nullable ChurnRates churn,
        @Nullable String version,
        boolean isPaused) {

    /** What can be asked for. */
    public enum Part {
        QUEUES,
        CONNECTIONS,
        CHANNELS,
        NODE
    }
}
