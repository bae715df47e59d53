package io.leveret.node.broker.definitions;

import static io.leveret.node.broker.definitions.ImageEdit.in;

import io.leveret.model.ExchangeName;
import io.leveret.model.QueueName;
import io.leveret.model.VhostName;
import io.leveret.model.definition.BindingDefinition;
import io.leveret.model.definition.BindingDefinition.Kind;
import io.leveret.model.definition.ExchangeDefinition;
import io.leveret.model.definition.ParameterDefinition;
import io.leveret.model.definition.QueueDefinition;
import io.leveret.node.broker.definitions.BindingOrder.Target;
import io.leveret.node.broker.definitions.DefinitionChange.DeclareQueue;
import io.leveret.node.broker.definitions.DefinitionChange.DeleteExchange;
import io.leveret.node.broker.definitions.DefinitionsImage.ParameterKey;
import io.leveret.node.broker.definitions.Outcome.RefusalKind;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The rules of changes to exchanges, queues and bindings. */
final class TopologyRules {
    private static final ParameterKey VHOST_LIMITS = new ParameterKey("vhost-limits", "limits");

    private TopologyRules() {}

    static Outcome declareExchange(ImageEdit edit, ExchangeDefinition exchange) {
        if (!edit.vhosts.containsKey(exchange.name().vhost())) {
            return AccessRules.noVhost(exchange.name().vhost());
        }
        ExchangeDefinition current = edit.exchange(exchange.name());
        if (current != null) {
            String difference = Equivalence.difference(current, exchange);
            return difference == null
                    ? Outcome.UNCHANGED
                    : Outcome.refused(RefusalKind.PRECONDITION_FAILED, difference);
        }
        if (PredeclaredExchanges.isReserved(exchange.name())) {
            return Outcome.refused(
                    RefusalKind.ACCESS_REFUSED,
                    "exchange name '" + exchange.name().value() + "' contains reserved prefix 'amq.*'");
        }
        edit.addExchange(exchange);
        return Outcome.CREATED;
    }

    static Outcome deleteExchange(ImageEdit edit, DeleteExchange change) {
        ExchangeName name = change.exchange();
        if (name.value().isEmpty()) {
            return onDefaultExchange();
        }
        if (PredeclaredExchanges.isReserved(name)) {
            return Outcome.refused(RefusalKind.ACCESS_REFUSED, "deletion of system exchange " + name + " not allowed");
        }
        if (edit.exchange(name) == null) {
            return noExchange(name);
        }
        if (change.ifUnused() && !edit.bindingsFrom(name).isEmpty()) {
            return Outcome.refused(RefusalKind.PRECONDITION_FAILED, "exchange " + name + " in use");
        }
        edit.deleteExchange(name);
        return Outcome.DELETED;
    }

    static Outcome bind(ImageEdit edit, BindingDefinition binding) {
        Outcome refusal = endsMissing(edit, binding);
        if (refusal != null) {
            return refusal;
        }
        return edit.addBinding(binding) ? Outcome.CREATED : Outcome.UNCHANGED;
    }

    static Outcome unbind(ImageEdit edit, BindingDefinition binding) {
        Outcome refusal = endsMissing(edit, binding);
        if (refusal != null) {
            return refusal;
        }
        return edit.removeBinding(binding) ? Outcome.DELETED : Outcome.UNCHANGED;
    }

    static Outcome declareQueue(ImageEdit edit, DeclareQueue change) {
        QueueDefinition queue = change.queue();
        VhostName vhost = queue.name().vhost();
        if (!edit.vhosts.containsKey(vhost)) {
            return AccessRules.noVhost(vhost);
        }
        QueueDefinition current = edit.queue(queue.name());
        if (current != null) {
            if (!Objects.equals(edit.owners.get(queue.name()), change.owner())) {
                return locked(queue.name());
            }
            String difference = Equivalence.difference(current, queue);
            return difference == null
                    ? Outcome.UNCHANGED
                    : Outcome.refused(RefusalKind.PRECONDITION_FAILED, difference);
        }
        long limit = queuesMax(edit, vhost);
        if (limit >= 0 && in(edit.queues, vhost).size() >= limit) {
            return Outcome.refused(
                    RefusalKind.PRECONDITION_FAILED,
                    "cannot declare queue '" + queue.name().value() + "': queue limit in vhost '" + vhost + "' ("
                            + limit + ") is reached");
        }
        edit.addQueue(queue, change.owner());
        return Outcome.CREATED;
    }

    static Outcome deleteQueue(ImageEdit edit, QueueName name) {
        return edit.deleteQueue(name) ? Outcome.DELETED : noQueue(name);
    }

    private static @Nullable Outcome endsMissing(ImageEdit edit, BindingDefinition binding) {
        Target target = Target.of(binding);
        boolean toDefault = target.kind() == Kind.EXCHANGE && target.name().isEmpty();
        if (binding.source().value().isEmpty() || toDefault) {
            return onDefaultExchange();
        }
        if (edit.exchange(binding.source()) == null) {
            return noExchange(binding.source());
        }
        if (edit.exists(target)) {
            return null;
        }
        return target.kind() == Kind.QUEUE
                ? noQueue(new QueueName(target.vhost(), target.name()))
                : noExchange(new ExchangeName(target.vhost(), target.name()));
    }

    /** The vhost's limit on queues; negative: none. */
    private static long queuesMax(ImageEdit edit, VhostName vhost) {
        ParameterDefinition limits = in(edit.parameters, vhost).get(VHOST_LIMITS);
        if (limits != null && limits.value() instanceof Map<?, ?> map && map.get("max-queues") instanceof Number max) {
            return max.longValue();
        }
        return -1;
    }

    private static Outcome locked(QueueName name) {
        return Outcome.refused(
                RefusalKind.RESOURCE_LOCKED,
                "cannot obtain exclusive access to locked queue " + name
                        + ". It could be originally declared on another connection or the exclusive property value does"
                        + " not match that of the original declaration.");
    }

    private static Outcome onDefaultExchange() {
        return Outcome.refused(RefusalKind.ACCESS_REFUSED, "operation not permitted on the default exchange");
    }

    private static Outcome noExchange(ExchangeName name) {
        return Outcome.refused(RefusalKind.NOT_FOUND, "no exchange " + name);
    }

    private static Outcome noQueue(QueueName name) {
        return Outcome.refused(RefusalKind.NOT_FOUND, "no queue " + name);
    }
}
