package io.leveret.node.cluster.membership;

import com.hazelcast.cluster.MembershipEvent;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.LifecycleEvent;
import com.hazelcast.core.LifecycleEvent.LifecycleState;
import io.leveret.model.NodeName;
import io.leveret.node.runtime.FaultHandler;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Membership by Hazelcast. It is given nothing to do but to know its members: no data, no code, no clients. After a split heals
 * a member has another identity there, so every event is answered by comparing the whole list with the one before; processes
 * are told apart by data directory and boot. Events come on Hazelcast's one event thread.
 */
public final class HazelcastMembership implements Membership, AutoCloseable {
    private final HazelcastInstance hazelcast;
    private final MemberList list;
    private final FaultHandler faults;
    /** It was closed, or its end was reported. */
    private final AtomicBoolean hasEnded = new AtomicBoolean();

    private HazelcastMembership(MembershipSettings settings, HazelcastInstance hazelcast, FaultHandler faults) {
        this.hazelcast = hazelcast;
        this.list = new MemberList(settings.self().tickSeconds());
        this.faults = faults;
    }

    /**
     * Binds the address, looks for others for some seconds, and goes on alone if there are none yet.
     *
     * @param faults told when Hazelcast ends of itself, as it does when it cannot join again after a split: a node that does
     *     not hear which others are alive is of no use, and in their way
     */
    public static HazelcastMembership start(MembershipSettings settings, FaultHandler faults) {
        HazelcastInstance hazelcast = Hazelcast.newHazelcastInstance(HazelcastTuning.of(settings));
        HazelcastMembership membership = new HazelcastMembership(settings, hazelcast, faults);
        hazelcast.getLifecycleService().addLifecycleListener(membership::lifecycleChanged);
        hazelcast.getCluster().addMembershipListener(membership.new Events());
        membership.compare();
        return membership;
    }

    /** Hazelcast's view of changes; only that something changed matters. */
    private final class Events implements com.hazelcast.cluster.MembershipListener {
        @Override
        public void memberAdded(MembershipEvent event) {
            compare();
        }

        @Override
        public void memberRemoved(MembershipEvent event) {
            compare();
        }
    }

    private void lifecycleChanged(LifecycleEvent event) {
        LifecycleState state = event.getState();
        boolean isEnd = state == LifecycleState.SHUTTING_DOWN || state == LifecycleState.SHUTDOWN;
        if (isEnd && hasEnded.compareAndSet(false, true)) {
            faults.fatal(
                    "membership ended, so it no longer hears which nodes are alive",
                    new IllegalStateException("Hazelcast shut itself down"));
        }
    }

    private SortedMap<NodeName, Member> seen() {
        TreeMap<NodeName, Member> seen = new TreeMap<>();
        for (com.hazelcast.cluster.Member each : hazelcast.getCluster().getMembers()) {
            Member member = MemberAttributes.read(each.getAttributes());
            // Two processes under one name while the earlier one is not yet given up: the later one counts.
            if (member != null) {
                seen.merge(member.node(), member, (a, b) -> a.boot() >= b.boot() ? a : b);
            }
        }
        return Collections.unmodifiableSortedMap(seen);
    }

    private void compare() {
        list.compare(this::seen);
    }

    @Override
    public SortedMap<NodeName, Member> members() {
        return list.members();
    }

    @Override
    public void addListener(MembershipListener listener) {
        list.addListener(listener);
    }

    /** Goes at once, as a kill would: there is nothing to hand over. */
    @Override
    public void close() {
        hasEnded.set(true);
        hazelcast.getLifecycleService().terminate();
    }
}
