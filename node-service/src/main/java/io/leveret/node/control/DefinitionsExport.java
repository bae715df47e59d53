package io.leveret.node.control;

import io.leveret.model.VhostName;
import io.leveret.model.definition.BindingDefinition;
import io.leveret.model.definition.ExchangeDefinition;
import io.leveret.model.definition.QueueDefinition;
import io.leveret.model.view.DefinitionsView;
import io.leveret.model.view.DefinitionsView.ExportedBinding;
import io.leveret.model.view.DefinitionsView.ExportedExchange;
import io.leveret.model.view.DefinitionsView.ExportedQueue;
import io.leveret.model.view.DefinitionsView.ExportedVhost;
import io.leveret.model.view.ParameterView;
import io.leveret.model.view.PolicyView;
import io.leveret.node.broker.definitions.DefinitionsImage;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** All that is declared, in the form of definition files. Exclusive queues and what every vhost has are left out. */
final class DefinitionsExport {
    private static final String OPERATOR_POLICY = "operator_policy";

    private DefinitionsExport() {}

    static DefinitionsView all(DefinitionsImage image, String version) {
        Collection<VhostName> vhosts = image.vhosts().keySet();
        return new DefinitionsView(
                OverviewResource.COMPATIBLE_VERSION,
                OverviewResource.COMPATIBLE_VERSION,
                OverviewResource.PRODUCT,
                version,
                image.users().values().stream()
                        .map(user -> UserResource.view(user, image))
                        .toList(),
                image.vhosts().values().stream()
                        .map(vhost -> new ExportedVhost(
                                vhost.name().value(),
                                vhost.description().isEmpty() ? null : vhost.description(),
                                vhost.tags().isEmpty() ? null : vhost.tags()))
                        .toList(),
                PermissionResource.all(image),
                PermissionResource.allTopics(image),
                parameters(image, vhosts),
                ParameterResource.globals(image),
                policies(image, vhosts),
                queues(image, vhosts, true),
                exchanges(image, vhosts, true),
                bindings(image, vhosts, true));
    }

    static DefinitionsView of(DefinitionsImage image, VhostName vhost) {
        List<VhostName> one = List.of(vhost);
        return new DefinitionsView(
                OverviewResource.COMPATIBLE_VERSION,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                parameters(image, one),
                null,
                policies(image, one),
                queues(image, one, false),
                exchanges(image, one, false),
                bindings(image, one, false));
    }

    private static List<ParameterView> parameters(DefinitionsImage image, Collection<VhostName> vhosts) {
        List<ParameterView> list = new ArrayList<>();
        for (VhostName vhost : vhosts) {
            image.parameters(vhost)
                    .forEach(each ->
                            list.add(new ParameterView(each.value(), vhost.value(), each.component(), each.name())));
            image.operatorPolicies(vhost)
                    .values()
                    .forEach(policy -> list.add(new ParameterView(
                            Map.of(
                                    "pattern", policy.pattern(),
                                    "definition", policy.definition(),
                                    "priority", policy.priority(),
                                    "apply-to", policy.applyTo().word()),
                            vhost.value(),
                            OPERATOR_POLICY,
                            policy.name())));
        }
        return list;
    }

    private static List<PolicyView> policies(DefinitionsImage image, Collection<VhostName> vhosts) {
        return vhosts.stream()
                .flatMap(vhost -> image.policies(vhost).values().stream())
                .map(PolicyResource::view)
                .toList();
    }

    private static @Nullable String named(VhostName vhost, boolean isNamed) {
        return isNamed ? vhost.value() : null;
    }

    private static List<ExportedQueue> queues(DefinitionsImage image, Collection<VhostName> vhosts, boolean isNamed) {
        return vhosts.stream()
                .flatMap(vhost -> image.queues(vhost).values().stream())
                .filter(queue -> !queue.isExclusive())
                .map(queue -> new ExportedQueue(
                        queue.name().value(),
                        named(queue.name().vhost(), isNamed),
                        queue.isDurable(),
                        queue.isAutoDelete(),
                        queue.arguments()))
                .toList();
    }

    private static boolean isExported(ExchangeDefinition exchange) {
        String name = exchange.name().value();
        return !name.isEmpty() && !name.startsWith("amq.");
    }

    private static List<ExportedExchange> exchanges(
            DefinitionsImage image, Collection<VhostName> vhosts, boolean isNamed) {
        return vhosts.stream()
                .flatMap(vhost -> image.exchanges(vhost).values().stream())
                .filter(DefinitionsExport::isExported)
                .map(exchange -> new ExportedExchange(
                        exchange.name().value(),
                        named(exchange.name().vhost(), isNamed),
                        exchange.type(),
                        exchange.isDurable(),
                        exchange.isAutoDelete(),
                        exchange.isInternal(),
                        exchange.arguments()))
                .toList();
    }

    private static List<ExportedBinding> bindings(
            DefinitionsImage image, Collection<VhostName> vhosts, boolean isNamed) {
        return vhosts.stream()
                .flatMap(vhost -> image.exchanges(vhost).values().stream())
                .flatMap(exchange -> image.bindingsFrom(exchange.name()).stream())
                .filter(binding -> !isToExclusiveQueue(image, binding))
                .map(binding -> new ExportedBinding(
                        binding.source().value(),
                        named(binding.vhost(), isNamed),
                        binding.destination().name(),
                        ExchangeResource.view(binding).destinationType(),
                        binding.bindingKey(),
                        binding.arguments()))
                .toList();
    }

    private static boolean isToExclusiveQueue(DefinitionsImage image, BindingDefinition binding) {
        QueueDefinition queue = binding.destination().kind() == BindingDefinition.Kind.QUEUE
                ? image.queues(binding.vhost()).get(binding.destination().name())
                : null;
        return queue != null && queue.isExclusive();
    }
}
