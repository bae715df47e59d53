package io.leveret.admin.cluster;

import io.leveret.model.control.Value;

/** The changes of limits that the API and the pages have in common. */
public final class LimitMutations {
    private LimitMutations() {}

    public static Mutation setOfVhost(String vhost, String limit, Value value) {
        return set(limit, ofVhost(vhost, limit), ControlPath.of("vhost-limits", vhost, limit), value);
    }

    public static Mutation clearOfVhost(String vhost, String limit) {
        return clear(limit, ofVhost(vhost, limit), ControlPath.of("vhost-limits", vhost, limit));
    }

    public static Mutation setOfUser(String user, String limit, Value value) {
        return set(limit, ofUser(user, limit), ControlPath.of("user-limits", user, limit), value);
    }

    public static Mutation clearOfUser(String user, String limit) {
        return clear(limit, ofUser(user, limit), ControlPath.of("user-limits", user, limit));
    }

    private static Mutation.Subject ofVhost(String vhost, String limit) {
        return new Mutation.Subject("vhost limit", vhost, limit, ControlPath.of("vhost-limits", vhost));
    }

    private static Mutation.Subject ofUser(String user, String limit) {
        return new Mutation.Subject("user limit", "", user + ": " + limit, ControlPath.of("user-limits", user));
    }

    private static Mutation set(String limit, Mutation.Subject subject, ControlPath path, Value value) {
        return Mutation.act("set " + limit + " of", subject, "PUT", path, value);
    }

    private static Mutation clear(String limit, Mutation.Subject subject, ControlPath path) {
        return Mutation.act("clear " + limit + " of", subject, "DELETE", path, null);
    }
}
