package io.leveret.node.cluster.metadata;

import io.leveret.model.NodeName;

/**
 * One replica of a queue (PROTOCOL.md §1).
 *
 * @param generation new at every add and after a wipe: what an earlier generation holds or proved counts nothing
 * @param leftAt the version at which it last left the in-sync set; 0: it never was in it
 * @param isInSync holds every committed event, in the boot that metadata records
 * @param isHolder its disk holds every event committed to disk
 * @param isAbandoned may hold what a lossy promotion lost
 */
public record Replica(
        NodeName node, long generation, long leftAt, boolean isInSync, boolean isHolder, boolean isAbandoned) {
    Replica withInSync(boolean inSync) {
        return new Replica(node, generation, leftAt, inSync, isHolder, isAbandoned);
    }

    Replica withHolder(boolean holder) {
        return new Replica(node, generation, leftAt, isInSync, holder, isAbandoned);
    }

    Replica withAbandoned(boolean abandoned) {
        return new Replica(node, generation, leftAt, isInSync, isHolder, abandoned);
    }

    Replica left(long version) {
        return new Replica(node, generation, version, false, isHolder, isAbandoned);
    }
}
