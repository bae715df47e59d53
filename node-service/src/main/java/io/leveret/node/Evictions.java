package io.leveret.node;

import io.leveret.model.UserName;
import io.leveret.model.VhostName;
import io.leveret.node.amqp.server.ConnectionRegistry;
import io.leveret.node.broker.definitions.DefinitionsDelta;
import io.leveret.node.broker.definitions.DefinitionsImage;
import io.leveret.node.broker.definitions.DefinitionsListener;

/** Closes the connections to vhosts that were deleted, and those of users who were. */
record Evictions(ConnectionRegistry connections) implements DefinitionsListener {
    @Override
    public void changed(DefinitionsDelta delta, DefinitionsImage image) {
        for (VhostName vhost : delta.vhostsDeleted()) {
            connections.closeVhost(vhost, "vhost '" + vhost + "' is deleted");
        }
        for (UserName user : delta.access()) {
            if (image.user(user) == null) {
                connections.closeUser(user, "user '" + user + "' is deleted");
            }
        }
    }
}
