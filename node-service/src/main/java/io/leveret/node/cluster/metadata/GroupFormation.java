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
import org.apache.ratis.util.ProtoUtils;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How a node without data comes into the group. A node that lost its disk must not vote as if it had never seen the log:
 *
 * <pre>
 * data there ------------------------------------------------> recover; nobody is asked
 * none, and every other voter answers that it has none either -> begin with the list of voters
 * none, and some voter has a log -> begin without voters; the leader strikes this node out and takes it in again, empty
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

    private final AtomicFile file;
    private final RaftLink raft;
    private final Path groupFolder;
    private boolean isBegun;
    private boolean isComplete;
    private boolean isWaitLogged;

    /** @param begun see {@link #begun} */
    GroupFormation(MetadataSettings settings, int generation, RaftLink raft, @Nullable Boolean begun) {
        this.file = new AtomicFile(settings.folder().resolve(FILE));
        this.raft = raft;
        this.groupFolder = groupFolder(settings, generation);
        this.isBegun = begun != null;
        this.isComplete = Boolean.TRUE.equals(begun);
    }

    private static Path groupFolder(MetadataSettings settings, int generation) {
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

    private void begin() throws IOException {
        boolean isSomewhere = false;
        boolean isUnknown = false;
        List<String> silent = new ArrayList<>();
        for (RaftPeer other : raft.others()) {
            try {
                isSomewhere |= hasLog(raft.ask(other.getId()));
            } catch (IOException e) {
                isUnknown = true;
                silent.add(other.getId().toString());
            }
        }
        if (isSomewhere) {
            LOG.info("the cluster has metadata and this node has none: it joins empty");
            begin(EMPTY, false);
        } else if (!isUnknown) {
            LOG.info("no initial member has metadata: this node begins with all of them");
            begin(WITH_VOTERS, true);
            isComplete = true;
        } else if (!isWaitLogged) {
            isWaitLogged = true;
            LOG.info("waiting for the other initial members before the cluster is formed: {}", silent);
        }
    }

    private void begin(String how, boolean isMember) throws IOException {
        file.write(how.getBytes(StandardCharsets.UTF_8));
        raft.addGroup(isMember);
        AtomicFile.fsyncFolder(groupFolder.getParent());
        isBegun = true;
    }

    /** A node that has no part in the group, or no entry yet, is as new as this one. */
    private static boolean hasLog(@Nullable GroupInfoReply answer) {
        return answer != null
                && (answer.getLogInfoProto().hasLastEntry()
                        || answer.getLogInfoProto().hasLastSnapshot()
                        || answer.getLogInfoProto().hasCommitted());
    }

    /** Asks the leader to strike this node out, if it counts on it, and to take it in as it is now. */
    private void rejoin() throws IOException {
        if (raft.leader() != null) {
            isComplete = true;
            return;
        }
        for (RaftPeer other : raft.others()) {
            GroupInfoReply answer = answerOf(other.getId());
            if (answer == null || answer.getRoleInfoProto().getRole() != RaftPeerRole.LEADER) {
                continue;
            }
            List<RaftPeer> current = answer.getConf()
                    .map(conf -> ProtoUtils.toRaftPeers(conf.getPeersList()))
                    .orElse(List.of());
            List<RaftPeer> without = new ArrayList<>(current);
            without.removeIf(each -> each.getId().equals(raft.self()));
            if (without.size() < current.size()) {
                raft.vote(other.getId(), current, without);
            }
            List<RaftPeer> with = new ArrayList<>(without);
            with.add(raft.selfPeer());
            raft.vote(other.getId(), without, with);
            isComplete = true;
            return;
        }
    }

    private @Nullable GroupInfoReply answerOf(RaftPeerId peer) {
        try {
            return raft.ask(peer);
        } catch (IOException e) {
            return null;
        }
    }
}
