package io.leveret.node.control;

import io.leveret.model.UserName;
import io.leveret.model.VhostName;
import io.leveret.model.definition.PermissionDefinition;
import io.leveret.model.definition.PolicyValidation;
import io.leveret.model.definition.TopicPermissionDefinition;
import io.leveret.model.view.PermissionView;
import io.leveret.model.view.TopicPermissionView;
import io.leveret.node.broker.auth.TopicPattern;
import io.leveret.node.broker.definitions.DefinitionChange;
import io.leveret.node.broker.definitions.DefinitionsImage;
import java.util.List;
import java.util.function.UnaryOperator;
import tools.jackson.databind.JsonNode;

/** Permissions and topic permissions. */
final class PermissionResource {
    private final Resources resources;

    PermissionResource(Resources resources) {
        this.resources = resources;
    }

    void addTo(Routes routes) {
        routes.add("GET", "permissions", request -> Answer.of(all(image())))
                .add("GET", "permissions/{}/{}", this::one)
                .add("PUT", "permissions/{}/{}", this::put)
                .add("DELETE", "permissions/{}/{}", this::delete)
                .add("GET", "vhosts/{}/permissions", this::ofVhost)
                .add("GET", "users/{}/permissions", this::ofUser)
                .add("GET", "topic-permissions", request -> Answer.of(allTopics(image())))
                .add("GET", "topic-permissions/{}/{}", this::topicsOf)
                .add("PUT", "topic-permissions/{}/{}", this::putTopic)
                .add("DELETE", "topic-permissions/{}/{}", this::deleteTopics)
                .add("DELETE", "topic-permissions/{}/{}/{}", this::deleteTopic)
                .add("GET", "vhosts/{}/topic-permissions", this::topicsOfVhost)
                .add("GET", "users/{}/topic-permissions", this::topicsOfUser);
    }

    private DefinitionsImage image() {
        return resources.cluster().image().definitions();
    }

    static List<PermissionView> all(DefinitionsImage image) {
        return image.vhosts().keySet().stream()
                .flatMap(vhost -> image.permissions(vhost).stream())
                .map(PermissionResource::view)
                .toList();
    }

    static List<TopicPermissionView> allTopics(DefinitionsImage image) {
        return image.vhosts().keySet().stream()
                .flatMap(vhost -> image.topicPermissions(vhost).stream())
                .map(PermissionResource::view)
                .toList();
    }

    private static PermissionView view(PermissionDefinition each) {
        return new PermissionView(
                each.user().value(), each.vhost().value(), each.configure(), each.write(), each.read());
    }

    private static TopicPermissionView view(TopicPermissionDefinition each) {
        return new TopicPermissionView(
                each.user().value(), each.vhost().value(), each.exchange(), each.write(), each.read());
    }

    private Answer one(ControlRequest request) {
        PermissionDefinition found = image().permission(UserResource.name(request.part(1)), request.vhost(0));
        if (found == null) {
            throw ControlRefusal.notFound();
        }
        return Answer.of(view(found));
    }

    private Answer ofVhost(ControlRequest request) {
        DefinitionsImage image = resources.imageWith(request.vhost(0)).definitions();
        return Answer.of(image.permissions(request.vhost(0)).stream()
                .map(PermissionResource::view)
                .toList());
    }

    private UserName knownUser(ControlRequest request, DefinitionsImage image) {
        UserName user = UserResource.name(request.part(0));
        if (image.user(user) == null) {
            throw ControlRefusal.notFound();
        }
        return user;
    }

    private Answer ofUser(ControlRequest request) {
        DefinitionsImage image = image();
        String user = knownUser(request, image).value();
        return Answer.of(
                all(image).stream().filter(each -> each.user().equals(user)).toList());
    }

    private void checkBoth(VhostName vhost, UserName user) {
        DefinitionsImage image = image();
        if (image.vhost(vhost) == null || image.user(user) == null) {
            throw ControlRefusal.badRequest("vhost_or_user_not_found");
        }
    }

    private static String pattern(ControlRequest request, String member) {
        return pattern(request, member, UnaryOperator.identity());
    }

    /** @param expanded gives the expression that a pattern stands for */
    private static String pattern(ControlRequest request, String member, UnaryOperator<String> expanded) {
        JsonNode value = request.required(member);
        String pattern = value.asString("");
        PolicyValidation.checkPattern(expanded.apply(pattern)).ifPresent(fault -> {
            throw ControlRefusal.badRequest(
                    fault.replace("pattern should be", member + " '" + pattern + "' should be a"));
        });
        return pattern;
    }

    private Answer put(ControlRequest request) {
        UserName user = UserResource.name(request.part(1));
        PermissionDefinition permission = new PermissionDefinition(
                user,
                request.vhost(0),
                pattern(request, "configure"),
                pattern(request, "write"),
                pattern(request, "read"));
        checkBoth(request.vhost(0), user);
        return resources.put(new DefinitionChange.PutPermission(permission));
    }

    private Answer delete(ControlRequest request) {
        UserName user = UserResource.name(request.part(1));
        if (image().permission(user, request.vhost(0)) == null) {
            throw ControlRefusal.notFound();
        }
        return resources.put(new DefinitionChange.DeletePermission(user, request.vhost(0)));
    }

    private Answer topicsOf(ControlRequest request) {
        List<TopicPermissionView> found = image().topicPermissions(request.vhost(0)).stream()
                .filter(each -> each.user().value().equals(request.part(1)))
                .map(PermissionResource::view)
                .toList();
        if (found.isEmpty()) {
            throw ControlRefusal.notFound();
        }
        return Answer.of(found);
    }

    private Answer topicsOfVhost(ControlRequest request) {
        DefinitionsImage image = resources.imageWith(request.vhost(0)).definitions();
        return Answer.of(image.topicPermissions(request.vhost(0)).stream()
                .map(PermissionResource::view)
                .toList());
    }

    private Answer topicsOfUser(ControlRequest request) {
        DefinitionsImage image = image();
        String user = knownUser(request, image).value();
        return Answer.of(allTopics(image).stream()
                .filter(each -> each.user().equals(user))
                .toList());
    }

    private Answer putTopic(ControlRequest request) {
        UserName user = UserResource.name(request.part(1));
        UnaryOperator<String> expanded = pattern -> TopicPattern.expand(pattern, user, request.vhost(0));
        TopicPermissionDefinition permission = new TopicPermissionDefinition(
                user,
                request.vhost(0),
                request.required("exchange").asString(""),
                pattern(request, "write", expanded),
                pattern(request, "read", expanded));
        checkBoth(request.vhost(0), user);
        return resources.put(new DefinitionChange.PutTopicPermission(permission));
    }

    private Answer deleteTopics(ControlRequest request) {
        topicsOf(request);
        return resources.put(
                new DefinitionChange.DeleteTopicPermission(UserResource.name(request.part(1)), request.vhost(0), null));
    }

    private Answer deleteTopic(ControlRequest request) {
        return resources.put(new DefinitionChange.DeleteTopicPermission(
                UserResource.name(request.part(1)), request.vhost(0), request.part(2)));
    }
}
