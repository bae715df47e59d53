package io.leveret.node.metrics;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.leveret.model.view.MessageStats;
import io.leveret.model.view.QueueFigures;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the leader of a queue counts.
 *
 * @param idleSince when it was last used, as the views write times; null while it is in use
 * @param activeConsumers ids of the consumers that get messages now
 * @param exclusiveConsumerTag the consumer that has the queue to itself, or null
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record QueueReport(
        String vhost,
        String name,
        QueueFigures figures,
        MessageStats stats,
        @Nullable String idleSince,
        Set<String> activeConsumers,
        @Nullable String exclusiveConsumerTag,
        List<String> consumerTags,
        @Nullable Long headTimestamp) {}
