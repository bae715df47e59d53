package io.leveret.admin.cluster;

import io.leveret.model.view.QueueView;
import java.time.Clock;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * All queues, for the pages: the bar, the overview and the list of queues need them at every refresh of everyone who looks.
 *
 * <p>A reading is kept for five times as long as it took, so that a small cluster is seen as it is, and a large one does not
 * spend its time on being looked at. A change made here is seen at once. The HTTP API does not read from here.
 */
@Component
public class QueueList implements Kept {
    private static final int KEPT_TIMES = 5;
    private static final long KEPT_MILLIS_MAX = 30_000;

    private final BrokerQueries queries;
    private final Clock clock;
    private @Nullable Reading last;

    QueueList(NodeClient queries, Clock clock) {
        this.queries = queries;
        this.clock = clock;
    }

    private record Reading(List<QueueView> queues, long usableUntilMillis) {}

    /** One reading at a time: whoever asks meanwhile waits for it and takes the same. */
    public synchronized List<QueueView> all() {
        long start = clock.millis();
        Reading known = last;
        if (known != null && start < known.usableUntilMillis()) {
            return known.queues();
        }
        last = null;
        List<QueueView> queues = queries.list(ControlPath.of("queues"), QueueView.class);
        long end = clock.millis();
        last = new Reading(queues, end + Math.min(KEPT_MILLIS_MAX, (end - start) * KEPT_TIMES));
        return queues;
    }

    @Override
    public synchronized void forget() {
        last = null;
    }
}
