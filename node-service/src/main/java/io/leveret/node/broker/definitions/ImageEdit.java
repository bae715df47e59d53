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
import io.leveret.node.broker.definitions.DefinitionsImage.ParameterKey;
import io.leveret.node.broker.definitions.DefinitionsImage.TopicKey;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.pcollections.TreePMap;
import org.pcollections.TreePSet;

/**
 * One change in the making: takes an image, is edited by one thread, gives the next image and the delta. The methods here keep
 * the image whole (indexes agree, nothing refers to what is gone); whether a client may do it is the change's business.
 */
final class ImageEdit {
    TreePMap<VhostName, VhostDefinition> vhosts = TreePMap.empty();
    TreePMap<UserName, UserDefinition> users = TreePMap.empty();
    TreePMap<UserName, Map<String, Object>> userLimits = TreePMap.empty();
    TreePMap<VhostName, TreePMap<UserName, PermissionDefinition>> permissions = TreePMap.empty();
    TreePMap<VhostName, TreePMap<TopicKey, TopicPermissionDefinition>> topicPermissions = TreePMap.empty();
    TreePMap<VhostName, TreePMap<String, PolicyDefinition>> policies = TreePMap.empty();
    TreePMap<VhostName, TreePMap<String, PolicyDefinition>> operatorPolicies = TreePMap.empty();
    TreePMap<VhostName, TreePMap<ParameterKey, ParameterDefinition>> parameters = TreePMap.empty();
    TreePMap<String, Object> globalParameters = TreePMap.empty();
    TreePMap<VhostName, TreePMap<String, ExchangeDefinition>> exchanges = TreePMap.empty();
    TreePMap<VhostName, TreePMap<String, QueueDefinition>> queues = TreePMap.empty();
    TreePMap<QueueName, QueueOwner> owners = TreePMap.empty();
    TreePMap<ExchangeName, TreePSet<BindingDefinition>> bySource = TreePMap.empty();
    TreePMap<Target, TreePSet<BindingDefinition>> byDestination = TreePMap.empty();

    private final List<VhostName> vhostsCreated = new ArrayList<>();
    private final List<VhostName> vhostsDeleted = new ArrayList<>();
    private final List<ExchangeDefinition> exchangesDeclared = new ArrayList<>();
    private final List<ExchangeDefinition> exchangesDeleted = new ArrayList<>();
    private final List<QueueDefinition> queuesDeclared = new ArrayList<>();
    private final List<QueueDefinition> queuesDeleted = new ArrayList<>();
    private final List<BindingDefinition> bindingsAdded = new ArrayList<>();
    private final List<BindingDefinition> bindingsRemoved = new ArrayList<>();
    final Set<VhostName> policiesChanged = new LinkedHashSet<>();
    final Set<UserName> accessChanged = new LinkedHashSet<>();
    boolean hasParameters;

    /** From nothing. */
    ImageEdit() {}

    ImageEdit(DefinitionsImage from) {
        vhosts = from.vhosts;
        users = from.users;
        userLimits = from.userLimits;
        permissions = from.permissions;
        topicPermissions = from.topicPermissions;
        policies = from.policies;
        operatorPolicies = from.operatorPolicies;
        parameters = from.parameters;
        globalParameters = from.globalParameters;
        exchanges = from.exchanges;
        queues = from.queues;
        owners = from.owners;
        bySource = from.bySource;
        byDestination = from.byDestination;
    }

    DefinitionsImage image() {
        return new DefinitionsImage(this);
    }

    DefinitionsDelta delta() {
        return new DefinitionsDelta(
                false,
                List.copyOf(vhostsCreated),
                List.copyOf(vhostsDeleted),
                List.copyOf(exchangesDeclared),
                List.copyOf(exchangesDeleted),
                List.copyOf(queuesDeclared),
                List.copyOf(queuesDeleted),
                List.copyOf(bindingsAdded),
                List.copyOf(bindingsRemoved),
                Set.copyOf(policiesChanged),
                Set.copyOf(accessChanged),
                hasParameters);
    }

    void createVhost(VhostDefinition vhost) {
        vhosts = vhosts.plus(vhost.name(), vhost);
        vhostsCreated.add(vhost.name());
        PredeclaredExchanges.of(vhost.name()).forEach(this::addExchange);
    }

    void deleteVhost(VhostName name) {
        DefinitionsImage.in(queues, name).values().forEach(queue -> deleteQueue(queue.name()));
        // An exchange may be gone already, by a cascade from one before it.
        for (ExchangeDefinition exchange : DefinitionsImage.in(exchanges, name).values()) {
            deleteExchange(exchange.name());
        }
        in(permissions, name).values().forEach(each -> accessChanged.add(each.user()));
        in(topicPermissions, name).values().forEach(each -> accessChanged.add(each.user()));
        if (policies.containsKey(name) || operatorPolicies.containsKey(name)) {
            policiesChanged.add(name);
        }
        hasParameters |= parameters.containsKey(name);
        permissions = permissions.minus(name);
        topicPermissions = topicPermissions.minus(name);
        policies = policies.minus(name);
        operatorPolicies = operatorPolicies.minus(name);
        parameters = parameters.minus(name);
        vhosts = vhosts.minus(name);
        vhostsDeleted.add(name);
    }

    void deleteUser(UserName name) {
        users = users.minus(name);
        userLimits = userLimits.minus(name);
        for (VhostName vhost : vhosts.keySet()) {
            permissions = minus(permissions, vhost, name);
            for (TopicKey key : in(topicPermissions, vhost).keySet()) {
                if (key.user().equals(name)) {
                    topicPermissions = minus(topicPermissions, vhost, key);
                }
            }
        }
        accessChanged.add(name);
    }

    @Nullable
    ExchangeDefinition exchange(ExchangeName name) {
        return in(exchanges, name.vhost()).get(name.value());
    }

    @Nullable
    QueueDefinition queue(QueueName name) {
        return in(queues, name.vhost()).get(name.value());
    }

    boolean exists(Target target) {
        return target.kind() == Kind.QUEUE
                ? in(queues, target.vhost()).containsKey(target.name())
                : in(exchanges, target.vhost()).containsKey(target.name());
    }

    void addExchange(ExchangeDefinition exchange) {
        exchanges = plus(exchanges, exchange.name().vhost(), exchange.name().value(), exchange);
        exchangesDeclared.add(exchange);
    }

    /** With the bindings on both of its sides, and the auto-delete exchanges that lose their last binding by it. */
    void deleteExchange(ExchangeName name) {
        ExchangeDefinition exchange = exchange(name);
        if (exchange == null) {
            return;
        }
        exchanges = minus(exchanges, name.vhost(), name.value());
        exchangesDeleted.add(exchange);
        bindingsFrom(name).forEach(this::removeBinding);
        bindingsTo(Target.of(name)).forEach(this::removeBinding);
    }

    void addQueue(QueueDefinition queue, @Nullable QueueOwner owner) {
        queues = plus(queues, queue.name().vhost(), queue.name().value(), queue);
        if (owner != null) {
            owners = owners.plus(queue.name(), owner);
        }
        queuesDeclared.add(queue);
    }

    /** With the bindings to it, and the auto-delete exchanges that lose their last binding by it. */
    boolean deleteQueue(QueueName name) {
        QueueDefinition queue = queue(name);
        if (queue == null) {
            return false;
        }
        queues = minus(queues, name.vhost(), name.value());
        owners = owners.minus(name);
        queuesDeleted.add(queue);
        bindingsTo(new Target(name.vhost(), Kind.QUEUE, name.value())).forEach(this::removeBinding);
        return true;
    }

    TreePSet<BindingDefinition> bindingsFrom(ExchangeName source) {
        return bySource.getOrDefault(source, TreePSet.empty(BindingOrder.INSTANCE));
    }

    private TreePSet<BindingDefinition> bindingsTo(Target target) {
        return byDestination.getOrDefault(target, TreePSet.empty(BindingOrder.INSTANCE));
    }

    /** False when it was there. */
    boolean addBinding(BindingDefinition binding) {
        TreePSet<BindingDefinition> from = bindingsFrom(binding.source());
        if (from.contains(binding)) {
            return false;
        }
        Target target = Target.of(binding);
        bySource = bySource.plus(binding.source(), from.plus(binding));
        byDestination = byDestination.plus(target, bindingsTo(target).plus(binding));
        bindingsAdded.add(binding);
        return true;
    }

    /** False when there is none; else also deletes an auto-delete source whose last binding it was. */
    boolean removeBinding(BindingDefinition binding) {
        TreePSet<BindingDefinition> from = bindingsFrom(binding.source());
        if (!from.contains(binding)) {
            return false;
        }
        Target target = Target.of(binding);
        TreePSet<BindingDefinition> fromLeft = from.minus(binding);
        TreePSet<BindingDefinition> toLeft = bindingsTo(target).minus(binding);
        bySource = fromLeft.isEmpty() ? bySource.minus(binding.source()) : bySource.plus(binding.source(), fromLeft);
        byDestination = toLeft.isEmpty() ? byDestination.minus(target) : byDestination.plus(target, toLeft);
        bindingsRemoved.add(binding);
        ExchangeDefinition source = exchange(binding.source());
        if (source != null && source.isAutoDelete() && fromLeft.isEmpty()) {
            deleteExchange(source.name());
        }
        return true;
    }

    static <K extends Comparable<K>, V> TreePMap<K, V> in(
            TreePMap<VhostName, TreePMap<K, V>> byVhost, VhostName vhost) {
        return DefinitionsImage.in(byVhost, vhost);
    }

    static <K extends Comparable<K>, V> TreePMap<VhostName, TreePMap<K, V>> plus(
            TreePMap<VhostName, TreePMap<K, V>> byVhost, VhostName vhost, K key, V value) {
        return byVhost.plus(vhost, in(byVhost, vhost).plus(key, value));
    }

    static <K extends Comparable<K>, V> TreePMap<VhostName, TreePMap<K, V>> minus(
            TreePMap<VhostName, TreePMap<K, V>> byVhost, VhostName vhost, K key) {
        TreePMap<K, V> left = in(byVhost, vhost).minus(key);
        return left.isEmpty() ? byVhost.minus(vhost) : byVhost.plus(vhost, left);
    }
}
