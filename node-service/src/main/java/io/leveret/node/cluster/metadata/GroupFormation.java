package io.leveret.node.cluster.metadata;

import io.leveret.node.runtime.AtomicFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.ratis.proto.RaftProtos.RaftPeerRole;
import org.apache.ratis.protocol.GroupInfoReply;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How a node without data comes into the group. A node that lost its disk must not vote as if it had never seen the log:
 *
 * <pre>
 * data there ------------------------------------------------> recover; nobody is asked
 * none, and every other voter answers that it has none either -> begin with the list of voters
 * none, and some voter has a log -> the leader strikes this node out; it begins without voters; the leader takes it in
 * none, and a voter does not answer -> ask again
 * </pre>
 *
 * All begin with the same list, so two groups cannot form. Steps run on the store's worker and may wait some seconds.
 */
final class GroupFormation {
    private static final Logger LOG = LoggerFactory.getLogger(GroupFormation.class);
    private static final String FILE = "begun";
    private static final String WITH_VOTERS = "with voters";
    private static final String EMPTY = "empty";

    private final MetadataSettings settings;
    private final AtomicFile file;
    private final RaftLink raft;
    private int generation;
    private boolean isBegun;
    private boolean isComplete;
    private List<String> lastSilent = List.of();

    /** @param begun see {@link #begun} */
    GroupFormation(MetadataSettings settings, int generation, RaftLink raft, @Nullable Boolean begun) {
        this.file = new AtomicFile(settings.folder().resolve(FILE));
        this.settings = settings;
        this.raft = raft;
        this.generation = generation;
        this.isBegun = begun != null;
        this.isComplete = Boolean.TRUE.equals(begun);
    }

    static Path groupFolder(MetadataSettings settings, int generation) {
        return settings.folder()
                .resolve(RaftLink.groupId(settings.clusterName(), generation)
                        .getUuid()
                        .toString());
    }

    /** How this node's data was begun: true with the voters, false empty; null when there is no data. */
    static @Nullable Boolean begun(MetadataSettings settings, int generation) throws IOException {
        if (!Files.isDirectory(groupFolder(settings, generation))) {
            return null;
        }
        Optional<byte[]> content = new AtomicFile(settings.folder().resolve(FILE)).read();
        return content.isEmpty() || !new String(content.get(), StandardCharsets.UTF_8).equals(EMPTY);
    }

    /** Of this node's data; the cluster's once this node takes part. Read after {@link #step} has answered true. */
    int generation() {
        return generation;
    }

    /** True when this node is a voter, or on its way without further help. */
    boolean step() {
        try {
            if (!isBegun) {
                begin();
            } else if (!isComplete) {
                rejoin();
            }
        } catch (IOException e) {
            LOG.info("not yet a part of the metadata group: {}", e.toString());
        }
        return isBegun && isComplete;
    }

    /** True when another node went on with a newer generation: this one was left behind, and what it has must not count. */
    boolean isLeftBehind() {
        for (RaftPeer other : raft.others()) {
            try {
                if (raft.newerGeneration(other.getId(), generation) > generation) {
                    return true;
                }
            } catch (IOException e) {
                // Whoever does not answer cannot tell.
                continue;
            }
        }
        return false;
    }

    private void begin() throws IOException {
        boolean isSomewhere = false;
        boolean isUnknown = false;
        List<String> silent = new ArrayList<>();
        for (RaftPeer other : raft.others()) {
            try {
                adopt(raft.newerGeneration(other.getId(), generation));
                isSomewhere |= hasLog(raft.ask(other.getId()));
            } catch (IOException e) {
                isUnknown = true;
                silent.add(other.getId() + " (" + e.getMessage() + ")");
            }
        }
        if (isSomewhere) {
            beginEmpty();
        } else if (!isUnknown) {
            LOG.info("no initial member has metadata: this node begins with all of them");
            begin(WITH_VOTERS, true);
            isComplete = true;
        } else if (!silent.equals(lastSilent)) {
            lastSilent = silent;
            LOG.info("waiting for the other initial members before the cluster is formed: {}", silent);
        }
    }

    /** With no data of its own a node belongs to whatever cluster it finds. */
    private void adopt(int found) throws IOException {
        if (found > generation) {
            LOG.info("the cluster is in generation {}", found);
            GenerationFile.write(settings.folder(), found);
            generation = found;
            raft.generation(found);
        }
    }

    private void begin(String how, boolean isMember) throws IOException {
        file.write(how.getBytes(StandardCharsets.UTF_8));
        raft.addGroup(isMember);
        AtomicFile.fsyncFolder(settings.folder());
        isBegun = true;
    }

    /** A node that has no part in the group, or no entry yet, is as new as this one. */
    private static boolean hasLog(@Nullable GroupInfoReply answer) {
        return answer != null
                && (answer.getLogInfoProto().hasLastEntry()
                        || answer.getLogInfoProto().hasLastSnapshot()
                        || answer.getLogInfoProto().hasCommitted());
    }

    /**
     * The leader strikes this node out first. Begun before that, this node would take the leader's log for its own, stand for
     * election when the leader stops feeding it, and be told by the others to go.
     */
    private void beginEmpty() throws IOException {
        Voters voters = voters();
        if (voters == null) {
            return;
        }
        LOG.info("the cluster has metadata and this node has none: it joins empty");
        List<RaftPeer> without = voters.without(raft.self());
        if (without.size() < voters.current().size()) {
            raft.vote(voters.leader(), voters.current(), without);
        }
        begin(EMPTY, false);
    }

    private void rejoin() throws IOException {
        if (raft.leader() != null) {
            isComplete = true;
            return;
        }
        Voters voters = voters();
        if (voters == null) {
            return;
        }
        List<RaftPeer> with = new ArrayList<>(voters.without(raft.self()));
        if (with.size() == voters.current().size()) {
            with.add(raft.selfPeer());
            raft.vote(voters.leader(), voters.current(), with);
        }
        isComplete = true;
    }

    /** Who leads, and who votes, as the leader says. */
    private record Voters(RaftPeerId leader, List<RaftPeer> current) {
        List<RaftPeer> without(RaftPeerId node) {
            return current.stream().filter(each -> !each.getId().equals(node)).toList();
        }
    }

    private @Nullable Voters voters() {
        for (RaftPeer other : raft.others()) {
            GroupInfoReply answer = answerOf(other.getId());
            if (answer != null && answer.getRoleInfoProto().getRole() == RaftPeerRole.LEADER) {
                return new Voters(other.getId(), List.copyOf(answer.getGroup().getPeers()));
            }
        }
        return null;
    }

    private @Nullable GroupInfoReply answerOf(RaftPeerId peer) {
        try {
            return raft.ask(peer);
        } catch (IOException e) {
            return null;
        }
    }
}
