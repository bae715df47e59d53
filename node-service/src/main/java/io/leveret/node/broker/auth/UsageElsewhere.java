package io.leveret.node.broker.auth;

import io.leveret.model.UserName;
import io.leveret.model.VhostName;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** What the other nodes of the cluster count: limits of users and vhosts are those of the cluster. */
@FunctionalInterface
public interface UsageElsewhere {
    /** There are no other nodes. */
    UsageElsewhere NOWHERE = (user, vhost) -> CompletableFuture.completedFuture(Usage.NONE);

    /**
     * The sum over all other nodes that answer, as it was after this was called. Any thread; never fails, and completes within
     * seconds.
     */
    CompletionStage<Usage> ask(UserName user, VhostName vhost);
}
