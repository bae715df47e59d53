package io.leveret.node.cluster.metadata;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.client.RaftClientConfigKeys;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.grpc.GrpcConfigKeys;
import org.apache.ratis.server.RaftServerConfigKeys;
import org.apache.ratis.util.SizeInBytes;
import org.apache.ratis.util.TimeDuration;

/** The settings of Ratis, with the reasons for those that differ from its own. */
final class RaftTuning {
    /** The largest command; a batch over many queues must stay below it. */
    static final int COMMAND_BYTES_MAX = 4 << 20;

    private static final int WRITE_BUFFER_EXTRA = 64 << 10;
    private static final int SEGMENT_BYTES = 16 << 20;
    private static final int PREALLOCATED_BYTES = 1 << 20;
    private static final int SNAPSHOT_CHUNK_BYTES = 1 << 20;
    private static final int SNAPSHOTS_KEPT = 2;
    private static final int PURGE_GAP = 1024;
    private static final int ENTRIES_KEPT = 5_000;
    private static final long CLOSE_HOURS = 24;
    private static final long REQUEST_SECONDS = 3;

    private RaftTuning() {}

    static RaftProperties of(MetadataSettings settings) {
        RaftProperties properties = new RaftProperties();
        // The default is a temporary directory.
        RaftServerConfigKeys.setStorageDir(properties, List.of(settings.folder().toFile()));
        RaftServerConfigKeys.setStorageFreeSpaceMin(properties, SizeInBytes.valueOf(0));
        // A frozen and thawed process shall go on, not close its part of the group and stay up without metadata.
        RaftServerConfigKeys.setCloseThreshold(properties, TimeDuration.valueOf(CLOSE_HOURS, TimeUnit.HOURS));
        GrpcConfigKeys.Server.setHost(properties, settings.self().host());
        GrpcConfigKeys.Server.setPort(properties, settings.self().port());
        timeouts(properties, settings);
        log(properties);
        RaftServerConfigKeys.Read.setOption(properties, RaftServerConfigKeys.Read.Option.LINEARIZABLE);
        RaftServerConfigKeys.Read.setTimeout(properties, seconds(REQUEST_SECONDS));
        // A lease trusts clocks; an up-to-date read asks the majority instead.
        RaftServerConfigKeys.Read.setLeaderLeaseEnabled(properties, false);
        RaftServerConfigKeys.Snapshot.setAutoTriggerEnabled(properties, true);
        RaftServerConfigKeys.Snapshot.setAutoTriggerThreshold(properties, settings.snapshotEntries());
        RaftServerConfigKeys.Snapshot.setCreationGap(properties, 1);
        RaftServerConfigKeys.Snapshot.setRetentionFileNum(properties, SNAPSHOTS_KEPT);
        return properties;
    }

    private static void timeouts(RaftProperties properties, MetadataSettings settings) {
        TimeDuration min = millis(settings.electionMin().toMillis());
        TimeDuration max = millis(2 * settings.electionMin().toMillis());
        RaftServerConfigKeys.Rpc.setTimeoutMin(properties, min);
        RaftServerConfigKeys.Rpc.setTimeoutMax(properties, max);
        RaftServerConfigKeys.Rpc.setFirstElectionTimeoutMin(
                properties, millis(settings.electionMin().toMillis() / 2));
        RaftServerConfigKeys.Rpc.setFirstElectionTimeoutMax(properties, min);
        RaftServerConfigKeys.Rpc.setRequestTimeout(properties, seconds(REQUEST_SECONDS));
        RaftClientConfigKeys.Rpc.setRequestTimeout(properties, seconds(REQUEST_SECONDS));
        // One node may be replaced by a wiped one in a cluster of two.
        RaftServerConfigKeys.LeaderElection.setMemberMajorityAdd(properties, true);
    }

    private static void log(RaftProperties properties) {
        SizeInBytes command = SizeInBytes.valueOf(COMMAND_BYTES_MAX);
        RaftServerConfigKeys.Log.Appender.setBufferByteLimit(properties, command);
        // The server does not start when this is not larger than the limit above by some bytes.
        RaftServerConfigKeys.Log.setWriteBufferSize(
                properties, SizeInBytes.valueOf(COMMAND_BYTES_MAX + WRITE_BUFFER_EXTRA));
        RaftServerConfigKeys.Log.setSegmentSizeMax(properties, SizeInBytes.valueOf(SEGMENT_BYTES));
        RaftServerConfigKeys.Log.setPreallocatedSize(properties, SizeInBytes.valueOf(PREALLOCATED_BYTES));
        RaftServerConfigKeys.Log.Appender.setSnapshotChunkSizeMax(
                properties, SizeInBytes.valueOf(SNAPSHOT_CHUNK_BYTES));
        // An extra log entry per commit, of no use here: a starting node waits for the leader's commit index anyway.
        RaftServerConfigKeys.Log.setLogMetadataEnabled(properties, false);
        // A node that is away for long must not keep everybody's log from shrinking: it gets a snapshot.
        RaftServerConfigKeys.Log.setPurgeUptoSnapshotIndex(properties, true);
        RaftServerConfigKeys.Log.setPurgeGap(properties, PURGE_GAP);
        RaftServerConfigKeys.Log.setPurgePreservationLogNum(properties, ENTRIES_KEPT);
    }

    private static TimeDuration millis(long count) {
        return TimeDuration.valueOf(count, TimeUnit.MILLISECONDS);
    }

    private static TimeDuration seconds(long count) {
        return TimeDuration.valueOf(count, TimeUnit.SECONDS);
    }
}
