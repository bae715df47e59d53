package io.leveret.node.broker.definitions;

import io.leveret.model.ExchangeName;
import io.leveret.model.QueueName;
import io.leveret.model.UserName;
import io.leveret.model.VhostName;
import io.leveret.model.definition.BindingDefinition;
import io.leveret.model.definition.BindingDefinition.Kind;
import io.leveret.model.definition.ExchangeDefinition;
import io.leveret.model.definition.ParameterDefinition;
import io.leveret.model.definition.PermissionDefinition;
import io.leveret.model.definition.PolicyDefinition;
import io.leveret.model.definition.QueueDefinition;
import io.leveret.model.definition.TopicPermissionDefinition;
import io.leveret.model.definition.UserDefinition;
import io.leveret.model.definition.VhostDefinition;
import io.leveret.node.broker.definitions.BindingOrder.Target;
import java.util.Collection;
import java.util.Comparator;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;
import org.pcollections.TreePMap;
import org.pcollections.TreePSet;

/**
 * Everything that was declared, at one moment. Immutable; a {@link DefinitionChange} makes the next one, which shares what did
 * not change. All views are sorted, so that equal images are walked in equal order on every node. Any thread.
 */
public final class DefinitionsImage {
    /** The key of the parameter that holds the cluster's name. */
    public static final String CLUSTER_NAME = "cluster_name";

    /** Nothing declared: not even a vhost. */
    public static final DefinitionsImage EMPTY = new ImageEdit().image();

    final TreePMap<VhostName, VhostDefinition> vhosts;
    final TreePMap<UserName, UserDefinition> users;
    final TreePMap<UserName, Map<String, Object>> userLimits;
    final TreePMap<VhostName, TreePMap<UserName, PermissionDefinition>> permissions;
    final TreePMap<VhostName, TreePMap<TopicKey, TopicPermissionDefinition>> topicPermissions;
    final TreePMap<VhostName, TreePMap<String, PolicyDefinition>> policies;
    final TreePMap<VhostName, TreePMap<String, PolicyDefinition>> operatorPolicies;
    final TreePMap<VhostName, TreePMap<ParameterKey, ParameterDefinition>> parameters;
    final TreePMap<String, Object> globalParameters;
    final TreePMap<VhostName, TreePMap<String, ExchangeDefinition>> exchanges;
    final TreePMap<VhostName, TreePMap<String, QueueDefinition>> queues;
    final TreePMap<QueueName, QueueOwner> owners;
    final TreePMap<ExchangeName, TreePSet<BindingDefinition>> bySource;
    final TreePMap<Target, TreePSet<BindingDefinition>> byDestination;

    DefinitionsImage(ImageEdit edit) {
        this.vhosts = edit.vhosts;
        this.users = edit.users;
        this.userLimits = edit.userLimits;
        this.permissions = edit.permissions;
        this.topicPermissions = edit.topicPermissions;
        this.policies = edit.policies;
        this.operatorPolicies = edit.operatorPolicies;
        this.parameters = edit.parameters;
        this.globalParameters = edit.globalParameters;
        this.exchanges = edit.exchanges;
        this.queues = edit.queues;
        this.owners = edit.owners;
        this.bySource = edit.bySource;
        this.byDestination = edit.byDestination;
    }

    /** The identity of a topic permission within its vhost. */
    record TopicKey(UserName user, String exchange) implements Comparable<TopicKey> {
        private static final Comparator<TopicKey> ORDER =
                Comparator.comparing(TopicKey::user).thenComparing(TopicKey::exchange);

        @Override
        public int compareTo(TopicKey other) {
            return ORDER.compare(this, other);
        }
    }

    /** The identity of a parameter within its vhost. */
    record ParameterKey(String component, String name) implements Comparable<ParameterKey> {
        private static final Comparator<ParameterKey> ORDER =
                Comparator.comparing(ParameterKey::component).thenComparing(ParameterKey::name);

        @Override
        public int compareTo(ParameterKey other) {
            return ORDER.compare(this, other);
        }
    }

    public @Nullable VhostDefinition vhost(VhostName name) {
        return vhosts.get(name);
    }

    /** All vhosts by name. */
    public SortedMap<VhostName, VhostDefinition> vhosts() {
        return vhosts;
    }

    public @Nullable UserDefinition user(UserName name) {
        return users.get(name);
    }

    /** All users by name. */
    public SortedMap<UserName, UserDefinition> users() {
        return users;
    }

    /** max-connections and max-channels of a user, where set. */
    public Map<String, Object> userLimits(UserName name) {
        return userLimits.getOrDefault(name, Map.of());
    }

    /** The limits of all users that have any. */
    public SortedMap<UserName, Map<String, Object>> userLimits() {
        return userLimits;
    }

    public @Nullable PermissionDefinition permission(UserName user, VhostName vhost) {
        return in(permissions, vhost).get(user);
    }

    /** The permissions of all users in a vhost. */
    public Collection<PermissionDefinition> permissions(VhostName vhost) {
        return in(permissions, vhost).values();
    }

    public @Nullable TopicPermissionDefinition topicPermission(UserName user, VhostName vhost, String exchange) {
        return in(topicPermissions, vhost).get(new TopicKey(user, exchange));
    }

    /** The topic permissions of all users in a vhost. */
    public Collection<TopicPermissionDefinition> topicPermissions(VhostName vhost) {
        return in(topicPermissions, vhost).values();
    }

    /** The policies of a vhost by name. */
    public SortedMap<String, PolicyDefinition> policies(VhostName vhost) {
        return in(policies, vhost);
    }

    /** The operator policies of a vhost by name. */
    public SortedMap<String, PolicyDefinition> operatorPolicies(VhostName vhost) {
        return in(operatorPolicies, vhost);
    }

    public @Nullable ParameterDefinition parameter(VhostName vhost, String component, String name) {
        return in(parameters, vhost).get(new ParameterKey(component, name));
    }

    /** The parameters of a vhost, by component and name. */
    public Collection<ParameterDefinition> parameters(VhostName vhost) {
        return in(parameters, vhost).values();
    }

    /** Parameters of no vhost; values are JSON values. */
    public SortedMap<String, Object> globalParameters() {
        return globalParameters;
    }

    public @Nullable ExchangeDefinition exchange(ExchangeName name) {
        return in(exchanges, name.vhost()).get(name.value());
    }

    /** The exchanges of a vhost by name, the predeclared ones among them. */
    public SortedMap<String, ExchangeDefinition> exchanges(VhostName vhost) {
        return in(exchanges, vhost);
    }

    public @Nullable QueueDefinition queue(QueueName name) {
        return in(queues, name.vhost()).get(name.value());
    }

    /** The queues of a vhost by name. */
    public SortedMap<String, QueueDefinition> queues(VhostName vhost) {
        return in(queues, vhost);
    }

    /** Whose exclusive queue this is; null for a shared or unknown queue. */
    public @Nullable QueueOwner owner(QueueName name) {
        return owners.get(name);
    }

    /** All exclusive queues with their owners. */
    public SortedMap<QueueName, QueueOwner> owners() {
        return owners;
    }

    /** The bindings that lead away from an exchange; those implied by the default exchange are not listed. */
    public Set<BindingDefinition> bindingsFrom(ExchangeName source) {
        return from(source);
    }

    /** The bindings that lead to a queue. */
    public Set<BindingDefinition> bindingsTo(QueueName queue) {
        return to(new Target(queue.vhost(), Kind.QUEUE, queue.value()));
    }

    /** The bindings that lead to an exchange. */
    public Set<BindingDefinition> bindingsTo(ExchangeName exchange) {
        return to(Target.of(exchange));
    }

    public boolean hasBinding(BindingDefinition binding) {
        return from(binding.source()).contains(binding);
    }

    TreePSet<BindingDefinition> from(ExchangeName source) {
        return bySource.getOrDefault(source, TreePSet.empty(BindingOrder.INSTANCE));
    }

    TreePSet<BindingDefinition> to(Target target) {
        return byDestination.getOrDefault(target, TreePSet.empty(BindingOrder.INSTANCE));
    }

    static <K extends Comparable<K>, V> TreePMap<K, V> in(
            TreePMap<VhostName, TreePMap<K, V>> byVhost, VhostName vhost) {
        return byVhost.getOrDefault(vhost, TreePMap.empty());
    }
}
