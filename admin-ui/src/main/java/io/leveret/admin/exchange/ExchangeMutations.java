package io.leveret.admin.exchange;

import io.leveret.admin.cluster.ControlPath;
import io.leveret.admin.cluster.Mutation;
import io.leveret.model.control.ExchangeDeclaration;
import io.leveret.model.control.PublishRequest;

/** The changes of exchanges that the API and the pages have in common. */
final class ExchangeMutations {
    private static final String KIND = "exchange";

    private ExchangeMutations() {}

    static ControlPath path(String vhost, String name) {
        return ControlPath.of("exchanges", vhost, name);
    }

    static Mutation declare(String vhost, String name, ExchangeDeclaration declaration) {
        return Mutation.put(KIND, vhost, name, path(vhost, name), declaration);
    }

    static Mutation delete(String vhost, String name, boolean isOnlyUnused) {
        Mutation delete = Mutation.delete(KIND, vhost, name, path(vhost, name));
        return isOnlyUnused ? delete.with("if-unused", "true") : delete;
    }

    static Mutation publish(String vhost, String name, PublishRequest request) {
        return Mutation.act(
                "publish to",
                new Mutation.Subject(KIND, vhost, name, null),
                "POST",
                path(vhost, name).plus("publish"),
                request);
    }
}
