package io.leveret.node.broker.queue;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The subscriptions of a queue: who may come in, who is the single active one, whose turn it is. Consumers are those that
 * make a demand; passive subscriptions do not count as such.
 */
final class Consumers {
    /** In the order they came. */
    private final Set<SubscriptionState> consumers = new LinkedHashSet<>();
    /** Everyone who may have something unsettled: consumers, cancelled ones, passive ones. */
    private final Set<SubscriptionState> all = new LinkedHashSet<>();

    private final DeliveryScheduler scheduler = new DeliveryScheduler();
    private boolean isSingleActive;

    Consumers(boolean isSingleActive) {
        this.isSingleActive = isSingleActive;
    }

    DeliveryScheduler scheduler() {
        return scheduler;
    }

    /** @throws SubscriptionRefusedException when exclusive use forbids it */
    void admit(SubscriptionOptions options) {
        if (options.isPassive()) {
            return;
        }
        if (isSingleActive && options.isExclusive()) {
            throw new SubscriptionRefusedException("exclusive use of a queue that chooses its consumer");
        }
        if (consumers.isEmpty()) {
            return;
        }
        if (options.isExclusive() || consumers.iterator().next().options().isExclusive()) {
            throw new SubscriptionRefusedException("the queue is in exclusive use");
        }
    }

    void add(SubscriptionState subscription) {
        all.add(subscription);
        if (!subscription.options().isPassive()) {
            consumers.add(subscription);
            subscription.isChosen = !isSingleActive || consumers.size() == 1;
            scheduler.add(subscription);
        }
    }

    /** The subscription takes no more. @return whether it was the last consumer */
    boolean cancel(SubscriptionState subscription) {
        if (!consumers.remove(subscription)) {
            return false;
        }
        scheduler.remove(subscription);
        choose();
        return consumers.isEmpty();
    }

    /** The subscription is over. */
    void remove(SubscriptionState subscription) {
        all.remove(subscription);
    }

    void setSingleActive(boolean isSingleActive) {
        this.isSingleActive = isSingleActive;
        choose();
    }

    /** The active one stays; without it, the first of those with the highest priority follows. */
    private void choose() {
        SubscriptionState active = null;
        for (SubscriptionState each : consumers) {
            boolean isBetter = active == null
                    || (each.isChosen && !active.isChosen)
                    || (each.isChosen == active.isChosen && each.priority() > active.priority());
            active = isBetter ? each : active;
        }
        for (SubscriptionState each : consumers) {
            each.isChosen = !isSingleActive || each == active;
            scheduler.activate(each);
        }
    }

    int count() {
        return consumers.size();
    }

    Collection<SubscriptionState> all() {
        return all;
    }

    List<QueueStatistics.ConsumerStatistics> statistics() {
        List<QueueStatistics.ConsumerStatistics> list = new ArrayList<>(consumers.size());
        for (SubscriptionState each : consumers) {
            SubscriptionOptions options = each.options();
            list.add(new QueueStatistics.ConsumerStatistics(
                    options.consumerId(),
                    options.consumerTag(),
                    options.isNoAck(),
                    options.isExclusive(),
                    options.prefetch(),
                    each.isChosen));
        }
        return list;
    }
}
