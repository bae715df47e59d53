package io.leveret.admin.user;

import io.leveret.admin.cluster.ControlPath;
import io.leveret.admin.cluster.Mutation;
import io.leveret.model.control.PermissionDeclaration;
import io.leveret.model.control.TopicPermissionDeclaration;
import io.leveret.model.control.UserDeclaration;

/** The changes of users and of what they may do that the API and the pages have in common. */
final class UserMutations {
    private static final String USER = "user";
    private static final String PERMISSION = "permission";
    private static final String TOPIC_PERMISSION = "topic permission";

    private UserMutations() {}

    static ControlPath path(String user) {
        return ControlPath.of("users", user);
    }

    static Mutation save(String user, UserDeclaration declaration) {
        return Mutation.put(USER, "", user, path(user), declaration);
    }

    static Mutation delete(String user) {
        return Mutation.delete(USER, "", user, path(user));
    }

    static Mutation permit(String vhost, String user, PermissionDeclaration declaration) {
        return Mutation.put(PERMISSION, vhost, user, ControlPath.of("permissions", vhost, user), declaration);
    }

    static Mutation revoke(String vhost, String user) {
        return Mutation.delete(PERMISSION, vhost, user, ControlPath.of("permissions", vhost, user));
    }

    static Mutation permitTopic(String vhost, String user, TopicPermissionDeclaration declaration) {
        return Mutation.put(
                TOPIC_PERMISSION, vhost, user, ControlPath.of("topic-permissions", vhost, user), declaration);
    }

    static Mutation revokeTopics(String vhost, String user) {
        return Mutation.delete(TOPIC_PERMISSION, vhost, user, ControlPath.of("topic-permissions", vhost, user));
    }
}
