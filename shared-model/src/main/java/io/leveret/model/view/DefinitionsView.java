package io.leveret.model.view;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * All that is declared, as it is exported. An export of one vhost has no users, vhosts, permissions and global parameters,
 * and its objects carry no vhost.
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record DefinitionsView(
        @JsonProperty("rabbit_version") String rabbitVersion,
        @JsonProperty("rabbitmq_version") @Nullable String compatibleVersion,
        @JsonProperty("product_name") @Nullable String productName,
        @JsonProperty("product_version") @Nullable String productVersion,
        @Nullable List<UserView> users,
        @Nullable List<ExportedVhost> vhosts,
        @Nullable List<PermissionView> permissions,
        @JsonProperty("topic_permissions") @Nullable List<TopicPermissionView> topicPermissions,
        List<ParameterView> parameters,
        @JsonProperty("global_parameters") @Nullable List<GlobalParameterView> globalParameters,
        List<PolicyView> policies,
        List<ExportedQueue> queues,
        List<ExportedExchange> exchanges,
        List<ExportedBinding> bindings) {

    /** A vhost as exported; description and tags only when given. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record ExportedVhost(
            String name,
            @Nullable String description,
            @Nullable List<String> tags) {}

    /** A queue as exported. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record ExportedQueue(
            String name,
            @Nullable String vhost,
            @JsonProperty("durable") boolean isDurable,
            @JsonProperty("auto_delete") boolean isAutoDelete,
            Map<String, Object> arguments) {}

    /** An exchange as exported. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record ExportedExchange(
            String name,
            @Nullable String vhost,
            String type,
            @JsonProperty("durable") boolean isDurable,
            @JsonProperty("auto_delete") boolean isAutoDelete,
            @JsonProperty("internal") boolean isInternal,
            Map<String, Object> arguments) {}

    /** A binding as exported. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record ExportedBinding(
            String source,
            @Nullable String vhost,
            String destination,
            @JsonProperty("destination_type") String destinationType,
            @JsonProperty("routing_key") String routingKey,
            Map<String, Object> arguments) {}
}
