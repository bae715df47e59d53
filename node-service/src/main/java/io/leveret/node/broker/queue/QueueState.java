package io.leveret.node.broker.queue;

import io.leveret.node.broker.message.MessageId;
import java.util.List;
import java.util.function.Consumer;

/**
 * The replicated content of a queue, the same on its leader and on every mirror that applied the same events. Pure: events
 * in, state out. What an event removed is handed to the caller, who can undo the event with it.
 *
 * <p>Owned by the queue's executor.
 */
public final class QueueState {
    private final LiveMessages live = new LiveMessages();

    public LiveMessages live() {
        return live;
    }

    /**
     * Applies an event. Settled and Purged ids that are not held are ignored.
     *
     * @param removed gets each message that left, in id order
     */
    public void apply(QueueEvent event, MessageId id, Consumer<LiveMessage> removed) {
        if (event instanceof QueueEvent.Published) {
            live.add(LiveMessage.of(id, (QueueEvent.Published) event));
        } else if (event instanceof QueueEvent.Settled) {
            live.removeAll(((QueueEvent.Settled) event).ids(), removed);
        } else if (event instanceof QueueEvent.Purged) {
            live.removeAll(((QueueEvent.Purged) event).ids(), removed);
        }
    }

    /** Takes the last applied event back. @param removed what {@link #apply} gave for it */
    public void undo(QueueEvent event, MessageId id, List<LiveMessage> removed) {
        if (event instanceof QueueEvent.Published) {
            live.remove(id);
        }
        removed.forEach(live::add);
    }
}
