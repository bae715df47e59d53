package io.leveret.node.cluster.metadata;

import io.leveret.model.UserName;
import io.leveret.model.VhostName;
import io.leveret.model.definition.PermissionDefinition;
import io.leveret.model.definition.UserDefinition;
import io.leveret.model.definition.VhostDefinition;
import io.leveret.node.broker.definitions.DefinitionChange;
import io.leveret.node.broker.definitions.DefinitionsImage;
import java.util.List;

/** What a cluster is born with: vhost {@code /}, and user guest, an administrator who may do everything in it. */
public final class FirstDefinitions {
    private static final String EVERYTHING = ".*";

    private FirstDefinitions() {}

    /** The command that every node proposes at its start; the first one applied counts. */
    public static ClusterCommand.Form form(String clusterName, String guestHash, String hashingAlgorithm) {
        VhostName vhost = new VhostName("/");
        UserName guest = new UserName("guest");
        return new ClusterCommand.Form(List.of(
                new DefinitionChange.PutVhost(new VhostDefinition(vhost, "Default virtual host", List.of())),
                new DefinitionChange.PutUser(
                        new UserDefinition(guest, guestHash, hashingAlgorithm, List.of("administrator"))),
                new DefinitionChange.PutPermission(
                        new PermissionDefinition(guest, vhost, EVERYTHING, EVERYTHING, EVERYTHING)),
                new DefinitionChange.PutGlobalParameter(DefinitionsImage.CLUSTER_NAME, clusterName)));
    }
}
