package io.leveret.node.journal;

import io.leveret.node.runtime.SystemClock;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;

/**
 * Run by hand: appends messages from one thread, keeps a window of them live, prints rates and CPU.
 * Arguments: folder, seconds, bytes of a body, records per commit, messages kept live.
 */
final class JournalBenchmark {
    private static final byte[] NOTHING = {};

    private JournalBenchmark() {}

    private static final class Queue implements ReleaseOwner {
        final ConcurrentLinkedQueue<Runnable> inbox = new ConcurrentLinkedQueue<>();
        final long[] ring;
        long head;
        long tail;
        Journal journal;

        Queue(int size) {
            ring = new long[size + 1];
        }

        @Override
        public void release(Release release) {
            inbox.add(() -> {
                long[] live = new long[(int) (tail - head)];
                int count = 0;
                for (long i = head; i < tail; i++) {
                    if (release.covers(ring[(int) (i % ring.length)])) {
                        live[count++] = ring[(int) (i % ring.length)];
                    }
                }
                byte[] state =
                        ByteBuffer.allocate(16).putLong(head).putLong(tail).array();
                release.answer(Arrays.copyOf(live, count), state);
            });
        }

        @Override
        public void moved(long stream, long[] from, long[] to, Runnable done) {
            inbox.add(() -> {
                for (long i = head; i < tail; i++) {
                    int found = Arrays.binarySearch(from, ring[(int) (i % ring.length)]);
                    if (found >= 0) {
                        ring[(int) (i % ring.length)] = to[found];
                    }
                }
                for (int i = 0; i < from.length; i++) {
                    if (from[i] < (head == tail ? Long.MAX_VALUE : ring[(int) (head % ring.length)])) {
                        journal.discard(stream, to[i]);
                    }
                }
                done.run();
            });
        }
    }

    public static void main(String[] args) throws Exception {
        Path folder = Path.of(args[0]);
        long seconds = Long.parseLong(args[1]);
        byte[] body = new byte[Integer.parseInt(args[2])];
        int perCommit = Integer.parseInt(args[3]);
        int window = Integer.parseInt(args[4]);
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        try (FileJournal journal =
                FileJournal.open(folder, JournalSettings.standard(), new SystemClock(), (what, cause) -> {
                    throw new IllegalStateException(what, cause);
                })) {
            long start = System.nanoTime();
            long[] stored = new long[2];
            RecoveryReport report = journal.recover(new Counting(stored));
            System.out.printf(
                    Locale.ROOT,
                    "recovery %d ms: %s, heap %d MB%n",
                    (System.nanoTime() - start) / 1_000_000,
                    report,
                    (Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory()) >> 20);
            Queue queue = new Queue(window);
            queue.journal = journal;
            journal.setReleaseOwner(queue);
            ByteBuffer head = ByteBuffer.allocate(64);
            for (long second = 0; second < seconds; second++) {
                JournalStatistics before = journal.statistics();
                long cpuBefore = allCpu(threads);
                long mine = threads.getCurrentThreadCpuTime();
                long begin = System.nanoTime();
                int sinceCommit = 0;
                long waited = 0;
                while (System.nanoTime() - begin < 1_000_000_000L) {
                    if (journal.isCongested()) {
                        waited++;
                        LockSupport.parkNanos(100_000);
                    } else {
                        for (int i = 0; i < perCommit; i++) {
                            long position = journal.append(1, 1, 24, head, body, NOTHING);
                            if (queue.tail - queue.head == window) {
                                journal.discard(1, queue.ring[(int) (queue.head++ % queue.ring.length)]);
                            }
                            queue.ring[(int) (queue.tail++ % queue.ring.length)] = position;
                        }
                        journal.commit();
                    }
                    for (Runnable task = queue.inbox.poll(); task != null; task = queue.inbox.poll()) {
                        task.run();
                    }
                }
                print(
                        before,
                        journal.statistics(),
                        allCpu(threads) - cpuBefore,
                        threads.getCurrentThreadCpuTime() - mine);
            }
        }
    }

    private static long allCpu(ThreadMXBean threads) {
        return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
                .getProcessCpuTime();
    }

    private static void print(JournalStatistics before, JournalStatistics now, long cpu, long mine) {
        double records = now.appendedRecords() - before.appendedRecords();
        double fsyncs = Math.max(1, now.fsyncs() - before.fsyncs());
        System.out.printf(
                Locale.ROOT,
                "%7.0f k records/s %6.0f MB/s  CPU %.3f us a record (appending thread %.3f)  %.0f groups/s of %.0f records,"
                        + " fsync %.2f ms  copied %.0f MB, %d log files, %d segments (%.0f MB)%n",
                records / 1000,
                (now.writtenBytes() - before.writtenBytes()) / 1e6,
                cpu / 1000.0 / records,
                mine / 1000.0 / records,
                fsyncs,
                records / fsyncs,
                (now.fsyncNanos() - before.fsyncNanos()) / fsyncs / 1e6,
                (now.copiedBytes() - before.copiedBytes()) / 1e6,
                now.logFiles(),
                now.segments(),
                now.segmentBytes() / 1e6);
    }

    private record Counting(long[] stored) implements RecoveryVisitor {
        @Override
        public void checkpoint(long stream, ByteBuffer state) {}

        @Override
        public boolean stored(long stream, long position, int type, ByteBuffer meta, int payloadBytes) {
            stored[0]++;
            return true;
        }

        @Override
        public void record(long stream, long position, int type, ByteBuffer payload) {
            stored[1]++;
        }

        @Override
        public void dropped(long stream) {}

        @Override
        public void damaged(long stream, String why) {
            System.out.println("damaged " + stream + ": " + why);
        }
    }
}
