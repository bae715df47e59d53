package io.leveret.node.metrics;

import io.leveret.model.NodeName;
import io.leveret.node.cluster.metadata.ClusterDelta;
import io.leveret.node.cluster.metadata.ClusterImage;
import io.leveret.node.cluster.metadata.MetadataListener;
import io.leveret.node.cluster.metadata.QueuePlacement;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** How many queues that this node led came and went since it started. Any thread. */
public final class QueueChurn implements MetadataListener {
    private final NodeName self;
    private final LongSupplier declares;
    private final LongAdder created = new LongAdder();
    private final LongAdder deleted = new LongAdder();

    /** @param declares how often clients of this node declared a queue */
    public QueueChurn(NodeName self, LongSupplier declares) {
        this.self = self;
        this.declares = declares;
    }

    @Override
    public void changed(ClusterDelta delta, ClusterImage image) {
        for (ClusterDelta.PlacementChange change : delta.placements()) {
            if (change.before() == null && isOurs(change.after())) {
                created.increment();
            } else if (change.after() == null && isOurs(change.before())) {
                deleted.increment();
            }
        }
    }

    private boolean isOurs(@Nullable QueuePlacement placement) {
        return placement != null && placement.isLedBy(self);
    }

    long declared() {
        return declares.getAsLong();
    }

    long created() {
        return created.sum();
    }

    long deleted() {
        return deleted.sum();
    }
}
