package io.leveret.node.control;

import io.leveret.model.ExchangeName;
import io.leveret.model.QueueName;
import io.leveret.node.broker.auth.Permission;
import io.leveret.node.broker.auth.Permissions;

/** Whether the user of a request may do what it asks for. The operator may. */
record Access(Permissions permissions, ControlRequest request) {
    void check(Permission permission, QueueName queue) {
        if (request.user() != null && !permissions.allows(request.user(), permission, queue)) {
            throw ControlRefusal.accessRefused();
        }
    }

    void check(Permission permission, ExchangeName exchange) {
        if (request.user() != null && !permissions.allows(request.user(), permission, exchange)) {
            throw ControlRefusal.accessRefused();
        }
    }
}
