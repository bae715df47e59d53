package io.leveret.node.broker.queue;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Whose turn it is. Consumers of the highest priority that can take a delivery take turns; lower ones get what those cannot
 * take. A consumer that cannot is out of the rotation until something happens to it, so each decision costs O(1) however many
 * wait.
 *
 * <pre>
 * waiting ── activate (can take) ──► in rotation ── next (can take) ──► delivered to, then activate again
 *    ▲                                    │
 *    └──────── next (cannot take) ◄───────┘
 * </pre>
 */
final class DeliveryScheduler {
    /** Highest priority first; few, so a list. */
    private final List<Group> groups = new ArrayList<>();

    private static final class Group {
        final int priority;
        final ArrayDeque<SubscriptionState> rotation = new ArrayDeque<>();
        int members;

        Group(int priority) {
            this.priority = priority;
        }
    }

    void add(SubscriptionState subscription) {
        group(subscription.priority()).members++;
        activate(subscription);
    }

    void remove(SubscriptionState subscription) {
        Group group = group(subscription.priority());
        group.members--;
        if (subscription.isInRotation) {
            group.rotation.remove(subscription);
            subscription.isInRotation = false;
        }
        if (group.members == 0) {
            groups.remove(group);
        }
    }

    /** Something changed for the consumer: it joins the end of the rotation if it can take a delivery. */
    void activate(SubscriptionState subscription) {
        if (!subscription.isInRotation && subscription.canTake()) {
            subscription.isInRotation = true;
            group(subscription.priority()).rotation.addLast(subscription);
        }
    }

    /** Whether any consumer can take a delivery now. */
    boolean hasNext() {
        for (int i = 0; i < groups.size(); i++) {
            ArrayDeque<SubscriptionState> rotation = groups.get(i).rotation;
            SubscriptionState first = rotation.peekFirst();
            while (first != null) {
                if (first.canTake()) {
                    return true;
                }
                rotation.removeFirst();
                first.isInRotation = false;
                first = rotation.peekFirst();
            }
        }
        return false;
    }

    /** Takes the next consumer out of the rotation, null when none can take a delivery. */
    @Nullable
    SubscriptionState next() {
        if (!hasNext()) {
            return null;
        }
        for (int i = 0; i < groups.size(); i++) {
            SubscriptionState first = groups.get(i).rotation.pollFirst();
            if (first != null) {
                first.isInRotation = false;
                return first;
            }
        }
        return null;
    }

    private Group group(int priority) {
        int at = 0;
        while (at < groups.size() && groups.get(at).priority > priority) {
            at++;
        }
        if (at < groups.size() && groups.get(at).priority == priority) {
            return groups.get(at);
        }
        Group group = new Group(priority);
        groups.add(at, group);
        return group;
    }
}
