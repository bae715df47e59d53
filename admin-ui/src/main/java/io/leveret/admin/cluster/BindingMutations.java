package io.leveret.admin.cluster;

import io.leveret.model.control.BindingDeclaration;

/** The changes of bindings that the API and the pages of exchanges and queues have in common. */
public final class BindingMutations {
    private static final String KIND = "binding";

    private BindingMutations() {}

    /** All bindings of a source and a destination. @param letter {@code q} for a queue, {@code e} for an exchange */
    public static ControlPath path(String vhost, String source, String letter, String destination) {
        return ControlPath.of("bindings", vhost, "e", source, letter, destination);
    }

    public static Mutation bind(
            String vhost, String source, String letter, String destination, BindingDeclaration declaration) {
        return Mutation.act(
                "bind",
                new Mutation.Subject(KIND, vhost, name(source, destination), null),
                "POST",
                path(vhost, source, letter, destination),
                declaration);
    }

    /** @param key the binding's properties key */
    public static Mutation unbind(String vhost, String source, String letter, String destination, String key) {
        ControlPath path = path(vhost, source, letter, destination).plus(key);
        return Mutation.delete(KIND, vhost, name(source, destination), path);
    }

    private static String name(String source, String destination) {
        return source + " to " + destination;
    }
}
