package io.leveret.admin.connection;

import io.leveret.admin.cluster.ControlPath;
import io.leveret.admin.cluster.Mutation;
import io.leveret.model.view.ConnectionView;

/** The change of connections that the API and the pages have in common. */
final class ConnectionMutations {
    private ConnectionMutations() {}

    static Mutation close(ConnectionView connection, String reason) {
        return Mutation.act(
                        "close",
                        new Mutation.Subject("connection", connection.vhost(), connection.name(), null),
                        "DELETE",
                        ControlPath.of("connections", connection.name()),
                        null)
                .header("X-Reason", reason);
    }
}
