package io.leveret.node.cluster.membership;

import com.hazelcast.cluster.MembershipEvent;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import io.leveret.model.NodeName;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Membership by Hazelcast. It is given nothing to do but to know its members: no data, no code, no clients. After a split heals
 * a member has another identity there, so every event is answered by comparing the whole list with the one before; processes
 * are told apart by data directory and boot. Events come on Hazelcast's one event thread.
 */
public final class HazelcastMembership implements Membership, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HazelcastMembership.class);

    private final MembershipSettings settings;
    private final HazelcastInstance hazelcast;
    private final List<MembershipListener> listeners = new CopyOnWriteArrayList<>();
    private final AtomicReference<SortedMap<NodeName, Member>> members;

    private HazelcastMembership(MembershipSettings settings, HazelcastInstance hazelcast) {
        this.settings = settings;
        this.hazelcast = hazelcast;
        this.members = new AtomicReference<>(seen());
    }

    /** Binds the address, looks for others for some seconds, and goes on alone if there are none yet. */
    public static HazelcastMembership start(MembershipSettings settings) {
        HazelcastInstance hazelcast = Hazelcast.newHazelcastInstance(HazelcastTuning.of(settings));
        HazelcastMembership membership = new HazelcastMembership(settings, hazelcast);
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
        SortedMap<NodeName, Member> now = seen();
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
            if (each.tickSeconds() != settings.self().tickSeconds()) {
                LOG.warn(
                        "node {} has net_ticktime {} and this node {}: they should be equal",
                        each.node(),
                        each.tickSeconds(),
                        settings.self().tickSeconds());
            }
            listeners.forEach(listener -> listener.appeared(each));
        }
    }

    @Override
    public SortedMap<NodeName, Member> members() {
        return Objects.requireNonNull(members.get());
    }

    @Override
    public void addListener(MembershipListener listener) {
        listeners.add(listener);
    }

    /** Goes at once, as a kill would: there is nothing to hand over. */
    @Override
    public void close() {
        hazelcast.getLifecycleService().terminate();
    }
}
