package io.leveret.node.cluster.membership;

import io.leveret.model.NodeName;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The members that were seen last, and who is told how the next ones differ. Any thread. */
final class MemberList {
    private static final Logger LOG = LoggerFactory.getLogger(MemberList.class);

    private final int tickSeconds;
    private final List<MembershipListener> listeners = new CopyOnWriteArrayList<>();
    private final AtomicReference<SortedMap<NodeName, Member>> members =
            new AtomicReference<>(Collections.emptySortedMap());

    /** @param tickSeconds net_ticktime of this node: all should have the same */
    MemberList(int tickSeconds) {
        this.tickSeconds = tickSeconds;
    }

    SortedMap<NodeName, Member> members() {
        return Objects.requireNonNull(members.get());
    }

    void addListener(MembershipListener listener) {
        listeners.add(listener);
    }

    /** Looks, and tells what is different. One after the other: what was seen earlier must not be taken for news. */
    synchronized void compare(Supplier<SortedMap<NodeName, Member>> seen) {
        SortedMap<NodeName, Member> now = seen.get();
        SortedMap<NodeName, Member> before = Objects.requireNonNull(members.getAndSet(now));
        List<Member> vanished = new ArrayList<>(before.values());
        vanished.removeAll(now.values());
        List<Member> appeared = new ArrayList<>(now.values());
        appeared.removeAll(before.values());
        for (Member each : vanished) {
            LOG.warn("node {} is no longer seen", each.node());
            listeners.forEach(listener -> listener.vanished(each));
        }
        for (Member each : appeared) {
            LOG.info("node {} is seen", each.node());
            if (each.tickSeconds() != tickSeconds) {
                LOG.warn(
                        "node {} has net_ticktime {} and this node {}: they should be equal",
                        each.node(),
                        each.tickSeconds(),
                        tickSeconds);
            }
            listeners.forEach(listener -> listener.appeared(each));
        }
    }
}
