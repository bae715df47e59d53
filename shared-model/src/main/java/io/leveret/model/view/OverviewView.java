package io.leveret.model.view;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The cluster at a glance, as the node that answers sees it.
 *
 * @param compatibleVersion the RabbitMQ version whose interfaces are spoken: tools look for it
 * @param churnRates how many connections, channels and queues came and went since the nodes started
 * @param node the node that answered
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record OverviewView(
        @JsonProperty("management_version") String managementVersion,
        @JsonProperty("rates_mode") String ratesMode,
        @JsonProperty("sample_retention_policies") Map<String, List<Integer>> sampleRetention,
        @JsonProperty("exchange_types") List<NamedFeature> exchangeTypes,
        @JsonProperty("product_version") String productVersion,
        @JsonProperty("product_name") String productName,
        @JsonProperty("rabbitmq_version") String compatibleVersion,
        @JsonProperty("cluster_name") String clusterName,
        @JsonProperty("erlang_version") String runtimeVersion,
        @JsonProperty("erlang_full_version") String runtimeFullVersion,
        @JsonProperty("disable_stats") boolean isStatsDisabled,
        @JsonProperty("enable_queue_totals") boolean isQueueTotalsEnabled,
        @JsonProperty("message_stats") MessageStats messageStats,
        @JsonProperty("churn_rates") @Nullable CounterSet churnRates,
        @JsonProperty("queue_totals") QueueTotals queueTotals,
        @JsonProperty("object_totals") ObjectTotals objectTotals,
        @JsonProperty("statistics_db_event_queue") int statisticsBacklog,
        String node,
        List<ListenerView> listeners,
        List<Object> contexts) {

    /** All messages of the cluster. */
    public record QueueTotals(
            long messages,
            @JsonProperty("messages_details") Rate messagesRate,
            @JsonProperty("messages_ready") long ready,
            @JsonProperty("messages_ready_details") Rate readyRate,
            @JsonProperty("messages_unacknowledged") long unacked,
            @JsonProperty("messages_unacknowledged_details") Rate unackedRate) {}

    /** How many there are of each kind. */
    public record ObjectTotals(int connections, int channels, int exchanges, int queues, int consumers) {}
}
