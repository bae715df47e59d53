package io.leveret.node.broker.auth;

import io.leveret.model.ExchangeName;
import io.leveret.model.QueueName;
import io.leveret.model.UserName;
import io.leveret.model.VhostName;

/** What users may do, from the permissions that were agreed. Any thread; answers come from a cache. */
public final class Permissions {
    /** Whether the user has a permission record for the vhost at all. */
    public boolean mayEnter(UserName user, VhostName vhost) {
        throw new UnsupportedOperationException();
    }

    public boolean allows(UserName user, Permission permission, QueueName queue) {
        throw new UnsupportedOperationException();
    }

    /** The default exchange is checked under the name {@code amq.default}. */
    public boolean allows(UserName user, Permission permission, ExchangeName exchange) {
        throw new UnsupportedOperationException();
    }
}
