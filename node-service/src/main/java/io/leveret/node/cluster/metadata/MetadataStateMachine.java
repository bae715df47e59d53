package io.leveret.node.cluster.metadata;

import io.leveret.node.broker.definitions.ByteWriter;
import io.leveret.node.broker.definitions.MalformedBytesException;
import io.leveret.node.broker.definitions.Outcome;
import io.leveret.node.cluster.metadata.CommandCodec.Proposal;
import io.leveret.node.runtime.AtomicFile;
import io.leveret.node.runtime.FaultHandler;
import java.io.File;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.apache.ratis.io.MD5Hash;
import org.apache.ratis.proto.RaftProtos.RoleInfoProto;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.raftlog.RaftLog;
import org.apache.ratis.server.storage.FileInfo;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.statemachine.StateMachineStorage;
import org.apache.ratis.statemachine.TransactionContext;
import org.apache.ratis.statemachine.impl.BaseStateMachine;
import org.apache.ratis.statemachine.impl.SimpleStateMachineStorage;
import org.apache.ratis.statemachine.impl.SingleFileSnapshotInfo;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.util.LifeCycle;
import org.apache.ratis.util.MD5FileUtil;

/**
 * Holds the image and feeds it the log. Ratis calls everything that changes the image from one thread of its own, in log order;
 * {@link #image} is read by any thread. A damaged snapshot or log entry stops the node: to go on without it would make this
 * node's image another one than its peers'.
 */
final class MetadataStateMachine extends BaseStateMachine {
    /** Is told, on the applying thread, what became of the image. */
    interface Applier {
        void applied(OpId op, Outcome outcome, ClusterDelta delta, ClusterImage image);

        void reloaded(ClusterImage image);

        /** Ratis gave up this node's part in the group without being asked. */
        void closedByItself();
    }

    private final SimpleStateMachineStorage storage = new SimpleStateMachineStorage();
    private final Applier applier;
    private final FaultHandler faults;
    private volatile ClusterImage image = ClusterImage.EMPTY;

    MetadataStateMachine(Applier applier, FaultHandler faults) {
        this.applier = applier;
        this.faults = faults;
    }

    ClusterImage image() {
        return image;
    }

    @Override
    public void initialize(RaftServer server, RaftGroupId groupId, RaftStorage raftStorage) throws IOException {
        // Without the transition every later snapshot install fails.
        getLifeCycle()
                .startAndTransition(
                        () -> {
                            super.initialize(server, groupId, raftStorage);
                            removeFailedInstalls(raftStorage.getStorageDir().getTmpDir());
                            storage.init(raftStorage);
                            load(raftStorage.getStorageDir().getStateMachineDir());
                        },
                        IOException.class);
    }

    private static void removeFailedInstalls(File folder) throws IOException {
        if (!folder.isDirectory()) {
            return;
        }
        try (DirectoryStream<Path> leftovers = Files.newDirectoryStream(folder.toPath(), "snapshot-*")) {
            for (Path each : leftovers) {
                removeTree(each);
            }
        }
    }

    private static void removeTree(Path path) throws IOException {
        if (Files.isDirectory(path)) {
            try (DirectoryStream<Path> children = Files.newDirectoryStream(path)) {
                for (Path each : children) {
                    removeTree(each);
                }
            }
        }
        Files.deleteIfExists(path);
    }

    private void load(File folder) throws IOException {
        SingleFileSnapshotInfo snapshot = storage.loadLatestSnapshot();
        if (snapshot == null) {
            refuseUnreadableSnapshots(folder);
            return;
        }
        Path path = snapshot.getFile().getPath();
        try {
            image = ImageBytes.decode(Files.readAllBytes(path));
        } catch (MalformedBytesException e) {
            throw new IOException("the metadata snapshot " + path + " is damaged", e);
        }
        if (snapshot.getFile().getFileDigest() == null) {
            // The node stopped between the two files; the snapshot's own check sum fits, so the digest can be made
            // again.
            remember(path, snapshot.getTermIndex());
        }
        setLastAppliedTermIndex(snapshot.getTermIndex());
        applier.reloaded(image);
    }

    /** Ratis takes a snapshot that it cannot read for none, and would start from a log that no longer goes back that far. */
    private static void refuseUnreadableSnapshots(File folder) throws IOException {
        String[] files = folder.list((parent, name) ->
                SimpleStateMachineStorage.SNAPSHOT_REGEX.matcher(name).matches());
        if (files != null && files.length > 0) {
            throw new IOException("the metadata snapshots in " + folder + " cannot be read");
        }
    }

    @Override
    public void pause() {
        // Called once per chunk of a snapshot that is being installed.
        if (getLifeCycleState() == LifeCycle.State.RUNNING) {
            getLifeCycle().transition(LifeCycle.State.PAUSING);
            getLifeCycle().transition(LifeCycle.State.PAUSED);
        }
    }

    @Override
    public void reinitialize() throws IOException {
        File folder = storage.getSnapshotFile(0, 0).getParentFile();
        load(folder);
        if (getLifeCycleState() == LifeCycle.State.PAUSED) {
            getLifeCycle().transition(LifeCycle.State.STARTING);
            getLifeCycle().transition(LifeCycle.State.RUNNING);
        }
    }

    @Override
    public StateMachineStorage getStateMachineStorage() {
        return storage;
    }

    @Override
    public long takeSnapshot() throws IOException {
        TermIndex applied = getLastAppliedTermIndex();
        if (applied == null || applied.getIndex() < 0) {
            return RaftLog.INVALID_LOG_INDEX;
        }
        Path path =
                storage.getSnapshotFile(applied.getTerm(), applied.getIndex()).toPath();
        new AtomicFile(path).write(ImageBytes.encode(image));
        remember(path, applied);
        return applied.getIndex();
    }

    private void remember(Path path, TermIndex at) {
        MD5Hash digest = MD5FileUtil.computeAndSaveMd5ForFile(path.toFile());
        storage.updateLatestSnapshot(new SingleFileSnapshotInfo(new FileInfo(path, digest), at));
    }

    @Override
    public CompletableFuture<Message> applyTransaction(TransactionContext context) {
        TermIndex at = TermIndex.valueOf(context.getLogEntry());
        ByteString data = context.getLogEntry().getStateMachineLogEntry().getLogData();
        if (data.isEmpty()) {
            // Somebody waited for the entry before it: see RaftLink.nudge.
            updateLastAppliedTermIndex(at);
            return CompletableFuture.completedFuture(Message.EMPTY);
        }
        Proposal proposal;
        try {
            proposal = CommandCodec.decode(data.toByteArray());
        } catch (MalformedBytesException e) {
            faults.fatal("metadata log entry " + at + " cannot be read", e);
            throw e;
        }
        ClusterImage.Applied applied = image.apply(at.getIndex(), proposal.op(), proposal.command());
        image = applied.image();
        updateLastAppliedTermIndex(at);
        applier.applied(proposal.op(), applied.outcome(), applied.delta(), applied.image());
        ByteWriter out = new ByteWriter();
        ImageBytes.writeOutcome(out, applied.outcome());
        return CompletableFuture.completedFuture(Message.valueOf(ByteString.copyFrom(out.toByteArray())));
    }

    /** A barrier: when this is asked, everything agreed before the question has been applied here. */
    @Override
    public CompletableFuture<Message> query(Message request) {
        return CompletableFuture.completedFuture(Message.EMPTY);
    }

    @Override
    public void notifyServerShutdown(RoleInfoProto role, boolean allServer) {
        applier.closedByItself();
    }
}
