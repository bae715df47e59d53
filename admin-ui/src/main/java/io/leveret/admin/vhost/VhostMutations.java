package io.leveret.admin.vhost;

import io.leveret.admin.cluster.ControlPath;
import io.leveret.admin.cluster.Mutation;
import io.leveret.model.control.VhostDeclaration;

/** The changes of vhosts that the API and the pages have in common. */
final class VhostMutations {
    private static final String KIND = "vhost";

    private VhostMutations() {}

    static ControlPath path(String vhost) {
        return ControlPath.of("vhosts", vhost);
    }

    static Mutation save(String vhost, VhostDeclaration declaration) {
        return Mutation.put(KIND, vhost, vhost, path(vhost), declaration);
    }

    static Mutation delete(String vhost) {
        return Mutation.delete(KIND, vhost, vhost, path(vhost));
    }
}
