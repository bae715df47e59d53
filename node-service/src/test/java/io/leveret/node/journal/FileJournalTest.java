package io.leveret.node.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leveret.node.runtime.SystemClock;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The journal with its threads, on a disk. */
class FileJournalTest {
    private static final int OWNERS = 4;

    @TempDir
    Path folder;

    private final List<String> faults = new CopyOnWriteArrayList<>();

    private FileJournal open() throws Exception {
        return open(JournalSettings.small());
    }

    private FileJournal open(JournalSettings settings) throws Exception {
        return FileJournal.open(folder, settings, new SystemClock(), (what, cause) -> faults.add(what + ": " + cause));
    }

    /** Hands each question to the owner of the stream. */
    private record ByStream(Map<Long, StreamOwner> owners) implements ReleaseOwner {
        @Override
        public void release(Release release) {
            owners.get(release.stream()).release(release);
        }

        @Override
        public void moved(long stream, long[] from, long[] to, Runnable done) {
            owners.get(stream).moved(stream, from, to, done);
        }
    }

    private static void live(StreamOwner owner, long stream, List<BodyCheck> checks) {
        Random random = new Random(stream);
        for (long id = 1; id <= 4000; id++) {
            owner.publish(stream, id, random.nextInt(400));
            TreeMap<Long, Long> ids = owner.live.get(stream);
            if (ids.size() > 300 || random.nextInt(3) == 0) {
                owner.settle(stream, random.nextInt(5) == 0 ? ids.lastKey() : ids.firstKey());
            }
            if (id % 16 == 0) {
                owner.journal.commit();
                owner.work();
            }
            if (id % 50 == 0) {
                List<Long> order = new ArrayList<>(ids.keySet());
                BodyCheck check = new BodyCheck(stream, order, "while it is released");
                checks.add(check);
                owner.journal.read(stream, order.stream().mapToLong(ids::get).toArray(), check);
            }
        }
        owner.journal.commit();
    }

    @Test
    void concurrentOwnersAppendReadAndAreReleasedAndFindAllAgain() throws Exception {
        Map<Long, StreamOwner> owners = new ConcurrentHashMap<>();
        List<BodyCheck> checks = new CopyOnWriteArrayList<>();
        ExecutorService threads = Executors.newFixedThreadPool(OWNERS);
        try (FileJournal journal = open()) {
            journal.recover(new StreamOwner(journal));
            for (long stream = 1; stream <= OWNERS; stream++) {
                owners.put(stream, new StreamOwner(journal));
            }
            journal.setReleaseOwner(new ByStream(owners));
            List<Future<?>> running = new ArrayList<>();
            owners.forEach((stream, owner) -> running.add(threads.submit(() -> live(owner, stream, checks))));
            for (Future<?> each : running) {
                each.get();
            }
            await().until(() -> {
                owners.values().forEach(StreamOwner::work);
                return journal.durablePosition() >= journal.end()
                        && checks.stream().allMatch(each -> each.isFinished)
                        && journal.statistics().logFiles() <= 5;
            });
            assertThat(journal.statistics().releasedFiles()).isGreaterThan(3);
            assertThat(journal.statistics().copiedBytes()).isPositive();
        } finally {
            threads.shutdownNow();
        }
        assertThat(faults).isEmpty();

        try (FileJournal journal = open()) {
            StreamOwner found = new StreamOwner(journal);
            RecoveryReport report = journal.recover(found);
            assertThat(report.damagedStreams()).isZero();
            assertThat(found.missing()).isZero();
            owners.forEach((stream, owner) -> assertThat(found.live.get(stream).keySet())
                    .isEqualTo(owner.live.get(stream).keySet()));
            List<BodyCheck> again = new ArrayList<>();
            found.live.forEach((stream, ids) -> {
                BodyCheck check = new BodyCheck(stream, new ArrayList<>(ids.keySet()), "after a restart");
                again.add(check);
                journal.read(
                        stream, ids.values().stream().mapToLong(Long::longValue).toArray(), check);
            });
            await().until(() -> again.stream().allMatch(each -> each.isFinished));
        }
        assertThat(faults).isEmpty();
    }

    @Test
    void aCommitMakesDurableAndTellsTheListeners() throws Exception {
        JournalSettings small = JournalSettings.small();
        // Nothing becomes durable by itself while we look.
        JournalSettings patient = new JournalSettings(
                small.logFileBytes(),
                small.logFilesMax(),
                small.segmentBytes(),
                small.bufferBytesMax(),
                small.groupBytesMax(),
                small.copyBytesPerSecond(),
                TimeUnit.HOURS.toNanos(1));
        try (FileJournal journal = open(patient)) {
            StreamOwner owner = new StreamOwner(journal);
            journal.recover(owner);
            AtomicLong heard = new AtomicLong();
            journal.addDurableListener(heard::set);
            long position = owner.publish(1, 1, 10);
            assertThat(journal.durablePosition()).isLessThanOrEqualTo(position);
            journal.commit();
            await().until(() -> heard.get() > position);
            assertThat(journal.durablePosition()).isEqualTo(heard.get());
        }
    }

    @Test
    void whatNobodyCommitsIsDurableSoonToo() throws Exception {
        try (FileJournal journal = open()) {
            StreamOwner owner = new StreamOwner(journal);
            journal.recover(owner);
            long position = owner.publish(1, 1, 10);
            await().until(() -> journal.durablePosition() > position);
        }
    }

    @Test
    void aCloseWritesWhatWasAppended() throws Exception {
        try (FileJournal journal = open()) {
            StreamOwner owner = new StreamOwner(journal);
            journal.recover(owner);
            owner.publish(1, 1, 10);
        }
        try (FileJournal journal = open()) {
            StreamOwner owner = new StreamOwner(journal);
            journal.recover(owner);
            assertThat(owner.live.get(1L)).containsKey(1L);
        }
    }

    @Test
    void theHeadOfAPayloadKeepsItsPositionAndLimit() throws Exception {
        try (FileJournal journal = open()) {
            journal.recover(new StreamOwner(journal));
            ByteBuffer head = ByteBuffer.allocate(16).position(2).limit(10);
            journal.append(1, 1, 0, head);
            assertThat(head.position()).isEqualTo(2);
            assertThat(head.limit()).isEqualTo(10);
        }
    }

    @Test
    void fewFilesAreOpenAtATime() throws Exception {
        try (DiskStorage storage = new DiskStorage(folder, 3)) {
            List<LogFile> files = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                LogFile file = storage.open("file-" + i);
                file.write(ByteBuffer.wrap(new byte[] {(byte) i}), 0);
                file.force();
                files.add(file);
                assertThat(storage.openFiles()).isLessThanOrEqualTo(3);
            }
            for (int i = 0; i < 20; i++) {
                ByteBuffer one = ByteBuffer.allocate(1);
                assertThat(files.get(i).read(one, 0)).isOne();
                assertThat(one.get(0)).isEqualTo((byte) i);
            }
            assertThat(storage.openFiles()).isLessThanOrEqualTo(3);
        }
    }
}
