package io.leveret.node.control;

import io.leveret.model.NodeName;
import io.leveret.model.QueueName;
import io.leveret.model.VhostName;
import io.leveret.model.control.PolicyPreview;
import io.leveret.model.control.PolicyTie;
import io.leveret.model.control.PolicyUsage;
import io.leveret.model.definition.ApplyTo;
import io.leveret.model.definition.PolicyDefinition;
import io.leveret.model.definition.PolicyValidation;
import io.leveret.model.definition.QueueDefinition;
import io.leveret.model.view.PolicyView;
import io.leveret.model.view.QueueFigures;
import io.leveret.node.broker.definitions.DefinitionChange;
import io.leveret.node.broker.definitions.DefinitionsImage;
import io.leveret.node.broker.definitions.PolicyMatcher;
import io.leveret.node.cluster.metadata.ClusterCommand;
import io.leveret.node.cluster.metadata.ClusterImage;
import io.leveret.node.cluster.metadata.QueuePlacement;
import io.leveret.node.control.ClusterView.Selection;
import io.leveret.node.metrics.NodeReport.Part;
import io.leveret.node.metrics.QueueReport;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiFunction;
import tools.jackson.databind.JsonNode;

/** Policies and operator policies: lists, changes, what they do and what a change of one would do. */
final class PolicyResource {
    private static final int QUEUES_SHOWN_MAX = 100;

    private final Resources resources;

    PolicyResource(Resources resources) {
        this.resources = resources;
    }

    void addTo(Routes routes) {
        routes.add("GET", "policies/usage", this::usage).add("POST", "policies/preview", this::preview);
        addKind(routes, "policies", DefinitionsImage::policies, false);
        addKind(routes, "operator-policies", DefinitionsImage::operatorPolicies, true);
    }

    private void addKind(
            Routes routes,
            String path,
            BiFunction<DefinitionsImage, VhostName, ? extends Map<String, PolicyDefinition>> all,
            boolean isOperator) {
        routes.add("GET", path, request -> {
                    DefinitionsImage image = resources.cluster().image().definitions();
                    return Answer.of(image.vhosts().keySet().stream()
                            .flatMap(vhost -> all.apply(image, vhost).values().stream())
                            .map(PolicyResource::view)
                            .toList());
                })
                .add(
                        "GET",
                        path + "/{}",
                        request ->
                                Answer.of(all
                                        .apply(
                                                resources
                                                        .imageWith(request.vhost(0))
                                                        .definitions(),
                                                request.vhost(0))
                                        .values()
                                        .stream()
                                        .map(PolicyResource::view)
                                        .toList()))
                .add("GET", path + "/{}/{}", request -> one(request, all))
                .add("PUT", path + "/{}/{}", request -> put(request, isOperator))
                .add("DELETE", path + "/{}/{}", request -> delete(request, isOperator));
    }

    static PolicyView view(PolicyDefinition policy) {
        return new PolicyView(
                policy.vhost().value(),
                policy.name(),
                policy.pattern(),
                policy.applyTo().word(),
                new TreeMap<>(policy.definition()),
                policy.priority());
    }

    private Answer one(
            ControlRequest request,
            BiFunction<DefinitionsImage, VhostName, ? extends Map<String, PolicyDefinition>> all) {
        PolicyDefinition policy = all.apply(resources.cluster().image().definitions(), request.vhost(0))
                .get(request.part(1));
        if (policy == null) {
            throw ControlRefusal.notFound();
        }
        return Answer.of(view(policy));
    }

    private Answer put(ControlRequest request, boolean isOperator) {
        VhostName vhost = request.vhost(0);
        if (resources.cluster().image().definitions().vhost(vhost) == null) {
            throw ControlRefusal.noVhost();
        }
        PolicyDefinition policy = definition(vhost, request.part(1), request.json(), isOperator);
        return resources.put(
                isOperator ? new DefinitionChange.PutOperatorPolicy(policy) : new DefinitionChange.PutPolicy(policy));
    }

    private Answer delete(ControlRequest request, boolean isOperator) {
        VhostName vhost = request.vhost(0);
        String name = request.part(1);
        return resources.put(
                isOperator
                        ? new DefinitionChange.DeleteOperatorPolicy(vhost, name)
                        : new DefinitionChange.DeletePolicy(vhost, name));
    }

    /** A valid policy from what a user wrote, in a request or in a definitions file; refused otherwise. */
    static PolicyDefinition definition(VhostName vhost, String name, JsonNode body, boolean isOperator) {
        if (!body.has("pattern")) {
            throw ControlRefusal.badRequest("[{key_missing,pattern}]");
        }
        if (!body.has("definition")) {
            throw ControlRefusal.badRequest("[{key_missing,definition}]");
        }
        String applyTo = applyTo(body);
        if (!body.path("pattern").isString()) {
            throw invalid("pattern should be a binary but was " + body.path("pattern"));
        }
        if (!body.path("definition").isObject()) {
            throw invalid("definition should be an object, actually was " + body.path("definition"));
        }
        PolicyDefinition policy = new PolicyDefinition(
                vhost,
                name,
                body.path("pattern").asString(""),
                ApplyTo.of(applyTo).orElse(ApplyTo.ALL),
                priority(body.path("priority")),
                Json.object(body.path("definition")));
        (isOperator ? PolicyValidation.checkOperator(policy) : PolicyValidation.check(policy)).ifPresent(fault -> {
            throw ControlRefusal.badRequest(PolicyValidation.refusal(fault));
        });
        return policy;
    }

    private static String applyTo(JsonNode body) {
        JsonNode value = body.path("apply-to");
        String word =
                value.isMissingNode() ? ApplyTo.ALL.word() : value.isString() ? value.stringValue() : value.toString();
        PolicyValidation.checkApplyTo(word).ifPresent(fault -> {
            throw invalid(fault);
        });
        return word;
    }

    /** Any number; what is behind its point is cut off. Digits in a string are no number. */
    private static int priority(JsonNode value) {
        if (value.isMissingNode()) {
            return 0;
        }
        if (value.isNumber() && Math.abs(value.doubleValue()) <= Integer.MAX_VALUE) {
            return (int) value.doubleValue();
        }
        String shown = value.isString() ? "<<" + value + ">>" : value.toString();
        throw invalid("priority should be a number, actually was " + shown);
    }

    private static ControlRefusal invalid(String fault) {
        return ControlRefusal.badRequest(PolicyValidation.refusal(fault));
    }

    // ---- what policies do

    private Answer usage(ControlRequest request) {
        DefinitionsImage image = resources.cluster().image().definitions();
        List<PolicyUsage> list = new ArrayList<>();
        for (VhostName vhost : image.vhosts().keySet()) {
            PolicyMatcher matcher = matcher(image, vhost, image.policies(vhost));
            image.policies(vhost)
                    .values()
                    .forEach(policy -> list.add(
                            PolicyUse.of(policy, matcher, image.queues(vhost).values())
                                    .usage()));
        }
        return Answer.of(list);
    }

    private static PolicyMatcher matcher(
            DefinitionsImage image, VhostName vhost, Map<String, PolicyDefinition> policies) {
        return new PolicyMatcher(
                policies.values(), image.operatorPolicies(vhost).values());
    }

    private Answer preview(ControlRequest request) {
        VhostName vhost = new VhostName(request.required("vhost").asString(""));
        PolicyDefinition policy = definition(vhost, request.required("name").asString(""), request.json(), false);
        ClusterView cluster = resources.cluster();
        ClusterImage image = cluster.image();
        if (image.definitions().vhost(vhost) == null) {
            throw ControlRefusal.noVhost();
        }
        Map<String, PolicyDefinition> changed =
                new HashMap<>(image.definitions().policies(vhost));
        changed.put(policy.name(), policy);
        PolicyMatcher matcher = matcher(image.definitions(), vhost, changed);
        PolicyUse use =
                PolicyUse.of(policy, matcher, image.definitions().queues(vhost).values());
        Map<QueueName, Long> bytes = bytes(cluster, vhost);
        Preview preview = new Preview(changed(image, policy), cluster.scope().planner());
        use.appliedTo().forEach(queue -> preview.add(queue, matcher, bytes.getOrDefault(queue.name(), 0L)));
        return Answer.of(preview.answer(use));
    }

    private static ClusterImage changed(ClusterImage image, PolicyDefinition policy) {
        return image.apply(image.index() + 1, new ClusterCommand.Define(new DefinitionChange.PutPolicy(policy)))
                .image();
    }

    private static Map<QueueName, Long> bytes(ClusterView cluster, VhostName vhost) {
        Map<QueueName, Long> bytes = new HashMap<>();
        cluster.reports(Set.of(Part.QUEUES), new Selection(vhost, null)).forEach(node -> {
            if (node.queues() != null) {
                node.queues().forEach(report -> bytes.put(QueueName.of(report.vhost(), report.name()), bytes(report)));
            }
        });
        return bytes;
    }

    private static long bytes(QueueReport report) {
        QueueFigures figures = report.figures();
        return figures.bytes() == null ? 0 : figures.bytes();
    }

    /** A preview in the making. */
    private static final class Preview {
        private final ClusterImage image;
        private final ControlScope.Planner planner;
        private final List<PolicyPreview.QueueChange> changes = new ArrayList<>();
        private int leadersMoved;
        private int mirrorsAdded;
        private int mirrorsDropped;
        private int lessSafe;
        private long bytesToCopy;

        /** @param image the cluster as it would be with the policy */
        Preview(ClusterImage image, ControlScope.Planner planner) {
            this.image = image;
            this.planner = planner;
        }

        void add(QueueDefinition queue, PolicyMatcher matcher, long bytes) {
            QueuePlacement placement = image.placement(queue.name());
            if (placement == null) {
                return;
            }
            List<NodeName> before = leaderFirst(placement);
            List<NodeName> after = planner.target(image, placement);
            if (before.equals(after) || after.isEmpty()) {
                return;
            }
            long added = after.stream().filter(node -> !before.contains(node)).count();
            mirrorsAdded += (int) added;
            mirrorsDropped +=
                    (int) before.stream().filter(node -> !after.contains(node)).count();
            leadersMoved += before.isEmpty() || before.get(0).equals(after.get(0)) ? 0 : 1;
            lessSafe += after.size() < before.size() ? 1 : 0;
            bytesToCopy += added * bytes;
            changes.add(new PolicyPreview.QueueChange(
                    queue.name().value(), matcher.forQueue(queue).policy(), names(before), names(after)));
        }

        private static List<NodeName> leaderFirst(QueuePlacement placement) {
            List<NodeName> nodes = new ArrayList<>();
            if (placement.leader() != null) {
                nodes.add(placement.leader());
            }
            nodes.addAll(placement.mirrors());
            return nodes;
        }

        private static List<String> names(List<NodeName> nodes) {
            return nodes.stream().map(NodeName::value).toList();
        }

        PolicyPreview answer(PolicyUse use) {
            return new PolicyPreview(
                    use.usage().matched(),
                    use.usage().applied(),
                    leadersMoved,
                    mirrorsAdded,
                    mirrorsDropped,
                    bytesToCopy,
                    lessSafe,
                    use.usage().ties(),
                    changes.subList(0, Math.min(changes.size(), QUEUES_SHOWN_MAX)));
        }
    }

    /** Which queues a policy matches, and which it applies to. */
    private record PolicyUse(PolicyUsage usage, List<QueueDefinition> appliedTo) {
        static PolicyUse of(PolicyDefinition policy, PolicyMatcher matcher, Iterable<QueueDefinition> queues) {
            int matched = 0;
            List<QueueDefinition> applied = new ArrayList<>();
            Map<String, Tie> ties = new TreeMap<>();
            for (QueueDefinition queue : queues) {
                List<PolicyDefinition> matching =
                        matcher.matchingQueue(queue.name().value());
                if (matching.stream().noneMatch(each -> each.name().equals(policy.name()))) {
                    continue;
                }
                matched++;
                if (matching.get(0).name().equals(policy.name())) {
                    applied.add(queue);
                }
                matching.stream()
                        .filter(each -> !each.name().equals(policy.name()) && each.priority() == policy.priority())
                        .forEach(each -> ties.computeIfAbsent(
                                        each.name(),
                                        name -> new Tie(matching.indexOf(each) < indexOf(matching, policy)))
                                .queues++);
            }
            List<PolicyTie> shown = ties.entrySet().stream()
                    .map(entry -> new PolicyTie(
                            entry.getKey(),
                            policy.priority(),
                            entry.getValue().queues,
                            entry.getValue().isOther ? entry.getKey() : policy.name()))
                    .toList();
            return new PolicyUse(
                    new PolicyUsage(policy.vhost().value(), policy.name(), matched, applied.size(), shown), applied);
        }

        private static int indexOf(List<PolicyDefinition> matching, PolicyDefinition policy) {
            for (int i = 0; i < matching.size(); i++) {
                if (matching.get(i).name().equals(policy.name())) {
                    return i;
                }
            }
            return matching.size();
        }
    }

    /** Two policies of one priority on the same queues. */
    private static final class Tie {
        private final boolean isOther;
        private int queues;

        /** @param isOther whether the other one applies */
        Tie(boolean isOther) {
            this.isOther = isOther;
        }
    }
}
