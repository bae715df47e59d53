package io.leveret.node.cluster.placement;

import java.time.Duration;

/**
 * How soon the controller acts.
 *
 * @param collect changes that come within this time are answered by one look at the queues
 * @param vanishedGrace how long a process must stay away that was seen before; nothing is right when its connections close with
 *     it, for a mistake heals itself
 * @param unseenGrace the same for one that was never seen here, such as one that did not come back with the others
 * @param recheck so often all queues are looked at, whatever was heard
 */
public record PlacementSettings(Duration collect, Duration vanishedGrace, Duration unseenGrace, Duration recheck) {
    /** @param netTicktime how long silence lasts before it means death */
    public static PlacementSettings standard(Duration netTicktime) {
        return new PlacementSettings(Duration.ofMillis(20), Duration.ZERO, netTicktime, Duration.ofSeconds(30));
    }
}
