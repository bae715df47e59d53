package io.leveret.node.broker.definitions;

import static io.leveret.node.broker.definitions.ImageEdit.in;

import io.leveret.model.UserName;
import io.leveret.model.VhostName;
import io.leveret.model.definition.PermissionDefinition;
import io.leveret.model.definition.TopicPermissionDefinition;
import io.leveret.model.definition.UserDefinition;
import io.leveret.model.definition.VhostDefinition;
import io.leveret.node.broker.definitions.DefinitionChange.DeletePermission;
import io.leveret.node.broker.definitions.DefinitionChange.DeleteTopicPermission;
import io.leveret.node.broker.definitions.DefinitionChange.SetUserLimit;
import io.leveret.node.broker.definitions.DefinitionsImage.TopicKey;
import io.leveret.node.broker.definitions.Outcome.RefusalKind;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The rules of changes to vhosts, users and what users may do. */
final class AccessRules {
    private AccessRules() {}

    static Outcome putVhost(ImageEdit edit, VhostDefinition vhost) {
        VhostDefinition current = edit.vhosts.get(vhost.name());
        if (current == null) {
            edit.createVhost(vhost);
            return Outcome.CREATED;
        }
        if (current.equals(vhost)) {
            return Outcome.UNCHANGED;
        }
        edit.vhosts = edit.vhosts.plus(vhost.name(), vhost);
        return Outcome.UPDATED;
    }

    static Outcome deleteVhost(ImageEdit edit, VhostName vhost) {
        if (!edit.vhosts.containsKey(vhost)) {
            return noVhost(vhost);
        }
        edit.deleteVhost(vhost);
        return Outcome.DELETED;
    }

    static Outcome putUser(ImageEdit edit, UserDefinition user) {
        UserDefinition current = edit.users.get(user.name());
        if (user.equals(current)) {
            return Outcome.UNCHANGED;
        }
        edit.users = edit.users.plus(user.name(), user);
        edit.accessChanged.add(user.name());
        return current == null ? Outcome.CREATED : Outcome.UPDATED;
    }

    static Outcome deleteUser(ImageEdit edit, UserName user) {
        if (!edit.users.containsKey(user)) {
            return noUser(user);
        }
        edit.deleteUser(user);
        return Outcome.DELETED;
    }

    static Outcome setUserLimit(ImageEdit edit, SetUserLimit change) {
        UserName user = change.user();
        if (!edit.users.containsKey(user)) {
            return noUser(user);
        }
        TreeMap<String, Object> limits = new TreeMap<>(edit.userLimits.getOrDefault(user, Map.of()));
        Long value = change.value();
        Object before = value == null ? limits.remove(change.limit()) : limits.put(change.limit(), value);
        if (Objects.equals(before, value)) {
            return Outcome.UNCHANGED;
        }
        edit.userLimits =
                limits.isEmpty() ? edit.userLimits.minus(user) : edit.userLimits.plus(user, Map.copyOf(limits));
        edit.hasParameters = true;
        if (value == null) {
            return Outcome.DELETED;
        }
        return before == null ? Outcome.CREATED : Outcome.UPDATED;
    }

    static Outcome putPermission(ImageEdit edit, PermissionDefinition permission) {
        Outcome missing = missing(edit, permission.user(), permission.vhost());
        if (missing != null) {
            return missing;
        }
        PermissionDefinition current = in(edit.permissions, permission.vhost()).get(permission.user());
        if (permission.equals(current)) {
            return Outcome.UNCHANGED;
        }
        edit.permissions = ImageEdit.plus(edit.permissions, permission.vhost(), permission.user(), permission);
        edit.accessChanged.add(permission.user());
        return current == null ? Outcome.CREATED : Outcome.UPDATED;
    }

    static Outcome deletePermission(ImageEdit edit, DeletePermission change) {
        Outcome missing = missing(edit, change.user(), change.vhost());
        if (missing != null) {
            return missing;
        }
        if (!in(edit.permissions, change.vhost()).containsKey(change.user())) {
            return Outcome.UNCHANGED;
        }
        edit.permissions = ImageEdit.minus(edit.permissions, change.vhost(), change.user());
        edit.accessChanged.add(change.user());
        return Outcome.DELETED;
    }

    static Outcome putTopicPermission(ImageEdit edit, TopicPermissionDefinition permission) {
        Outcome missing = missing(edit, permission.user(), permission.vhost());
        if (missing != null) {
            return missing;
        }
        TopicKey key = new TopicKey(permission.user(), permission.exchange());
        TopicPermissionDefinition current =
                in(edit.topicPermissions, permission.vhost()).get(key);
        if (permission.equals(current)) {
            return Outcome.UNCHANGED;
        }
        edit.topicPermissions = ImageEdit.plus(edit.topicPermissions, permission.vhost(), key, permission);
        edit.accessChanged.add(permission.user());
        return current == null ? Outcome.CREATED : Outcome.UPDATED;
    }

    static Outcome deleteTopicPermission(ImageEdit edit, DeleteTopicPermission change) {
        Outcome missing = missing(edit, change.user(), change.vhost());
        if (missing != null) {
            return missing;
        }
        List<TopicKey> keys = in(edit.topicPermissions, change.vhost()).keySet().stream()
                .filter(key -> key.user().equals(change.user()))
                .filter(key -> change.exchange() == null || key.exchange().equals(change.exchange()))
                .toList();
        for (TopicKey key : keys) {
            edit.topicPermissions = ImageEdit.minus(edit.topicPermissions, change.vhost(), key);
            edit.accessChanged.add(change.user());
        }
        return keys.isEmpty() ? Outcome.UNCHANGED : Outcome.DELETED;
    }

    static Outcome noVhost(VhostName vhost) {
        return Outcome.refused(RefusalKind.NOT_FOUND, "no vhost '" + vhost + "'");
    }

    private static Outcome noUser(UserName user) {
        return Outcome.refused(RefusalKind.NOT_FOUND, "no user '" + user + "'");
    }

    private static @Nullable Outcome missing(ImageEdit edit, UserName user, VhostName vhost) {
        if (!edit.vhosts.containsKey(vhost)) {
            return noVhost(vhost);
        }
        return edit.users.containsKey(user) ? null : noUser(user);
    }
}
