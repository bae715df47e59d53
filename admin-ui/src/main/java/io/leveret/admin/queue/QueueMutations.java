package io.leveret.admin.queue;

import io.leveret.admin.cluster.ControlPath;
import io.leveret.admin.cluster.Mutation;
import io.leveret.admin.web.Words;
import io.leveret.model.control.FetchRequest;
import io.leveret.model.control.PublishRequest;
import io.leveret.model.control.QueueAction;
import io.leveret.model.control.QueueDeclaration;

/** The changes of queues that the API and the pages have in common. */
final class QueueMutations {
    private static final String KIND = "queue";

    private QueueMutations() {}

    static ControlPath path(String vhost, String name) {
        return ControlPath.of("queues", vhost, name);
    }

    static Mutation declare(String vhost, String name, QueueDeclaration declaration) {
        return Mutation.put(KIND, vhost, name, path(vhost, name), declaration);
    }

    static Mutation delete(String vhost, String name, boolean isOnlyUnused, boolean isOnlyEmpty) {
        Mutation delete = Mutation.delete(KIND, vhost, name, path(vhost, name));
        delete = isOnlyUnused ? delete.with("if-unused", "true") : delete;
        return isOnlyEmpty ? delete.with("if-empty", "true") : delete;
    }

    static Mutation purge(String vhost, String name) {
        return Mutation.act(
                "purge", subject(vhost, name), "DELETE", path(vhost, name).plus("contents"), null);
    }

    /** Through the default exchange, which knows every queue by its name. */
    static Mutation publish(String vhost, String name, PublishRequest message) {
        return Mutation.act(
                "publish to",
                subject(vhost, name),
                "POST",
                ControlPath.of("exchanges", vhost, Words.DEFAULT_EXCHANGE, "publish"),
                message);
    }

    static Mutation fetch(String vhost, String name, FetchRequest request) {
        return Mutation.act(
                "get messages from",
                subject(vhost, name),
                "POST",
                path(vhost, name).plus("get"),
                request);
    }

    static Mutation act(String vhost, String name, String action) {
        String verb = action.equals(QueueAction.SYNC) ? "synchronise" : "cancel synchronisation of";
        return Mutation.act(
                verb, subject(vhost, name), "POST", path(vhost, name).plus("actions"), new QueueAction(action));
    }

    /** What is done to a queue's messages leaves its definition as it is: nothing is read before and after. */
    private static Mutation.Subject subject(String vhost, String name) {
        return new Mutation.Subject(KIND, vhost, name, null);
    }
}
