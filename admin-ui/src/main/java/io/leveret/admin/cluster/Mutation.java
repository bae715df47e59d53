package io.leveret.admin.cluster;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A change of the cluster, as a value: it can be recorded, shown and sent.
 *
 * @param verb what is done, for people: "save", "delete", "purge"
 * @param subject what it is done to
 * @param method of HTTP
 * @param body a record or a map, sent as JSON; null for none
 * @param headers sent along
 */
public record Mutation(
        String verb,
        Subject subject,
        String method,
        ControlPath path,
        @Nullable Object body,
        Map<String, String> headers) {

    /**
     * What is changed.
     *
     * @param kind "policy", "queue", …
     * @param vhost empty for what belongs to the whole cluster
     * @param readable where its present state can be read, to record it; null when it has none
     */
    public record Subject(
            String kind,
            String vhost,
            String name,
            @Nullable ControlPath readable) {}

    /** Creates or replaces the object at its own path. */
    public static Mutation put(String kind, String vhost, String name, ControlPath path, Object body) {
        return new Mutation("save", new Subject(kind, vhost, name, path), "PUT", path, body, Map.of());
    }

    /** Deletes the object at its own path. */
    public static Mutation delete(String kind, String vhost, String name, ControlPath path) {
        return new Mutation("delete", new Subject(kind, vhost, name, path), "DELETE", path, null, Map.of());
    }

    /** Does something to an object that leaves its definition as it is. */
    public static Mutation act(String verb, Subject subject, String method, ControlPath path, @Nullable Object body) {
        return new Mutation(verb, subject, method, path, body, Map.of());
    }

    /** The same with a parameter more in its query; the object is still read at its plain path. */
    public Mutation with(String parameter, String value) {
        return new Mutation(verb, subject, method, path.with(parameter, value), body, headers);
    }

    /** The same with a header more. */
    public Mutation header(String name, String value) {
        return new Mutation(verb, subject, method, path, body, Map.of(name, value));
    }
}
