package io.leveret.node.cluster.replication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leveret.node.journal.FileJournal;
import io.leveret.node.journal.JournalSettings;
import io.leveret.node.runtime.ManualExecutor;
import io.leveret.node.runtime.RecordedFaults;
import io.leveret.node.runtime.SystemClock;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReplicaLoopTest {
    @TempDir
    Path folder;

    private final ManualExecutor executor = new ManualExecutor();
    private final RecordedFaults faults = new RecordedFaults();

    /** The journal's thread writes when it is asked first; on a loop that is slow just then it is done before the loop looks. */
    @Test
    void whatIsOnDiskBeforeItsMemberWaitsIsToldAllTheSame() throws Exception {
        try (FileJournal journal = FileJournal.open(folder, JournalSettings.small(), new SystemClock(), faults)) {
            journal.recover(new JournalRecovery());
            ReplicaLoop loop = new ReplicaLoop(executor, journal);
            journal.addDurableListener(position -> loop.durable());
            List<Long> told = new ArrayList<>();
            ReplicaLoop.Member member = new ReplicaLoop.Member() {
                @Override
                public boolean durable(long position) {
                    told.add(position);
                    return false;
                }

                @Override
                public void tick(long nowNanos) {}
            };
            long[] appended = new long[1];
            executor.inside(() -> {
                appended[0] = journal.append(1, 1, 0, ByteBuffer.allocate(8));
                loop.appended();
                await().until(() -> journal.durablePosition() > appended[0]);
                loop.await(member);
            });
            executor.runAll();
            assertThat(told)
                    .singleElement()
                    .satisfies(position -> assertThat(position).isGreaterThan(appended[0]));
        }
        faults.assertNone();
    }
}
