package io.leveret.node.journal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A journal on a disk that forgets, stepped in one thread, killed at random operations (also while it recovers): what a
 * restart finds is the state at one moment, not before the last promise; every body is there; nothing counts as damaged.
 */
class JournalCrashTest {
    private static final int SEEDS = 60;
    private static final int CRASHES = 12;

    private record Event(long position, long stream, long id, boolean isDrop, long after) {}

    private static final class World {
        final Random random;
        final long seed;
        final SimulatedStorage storage;
        final JournalSettings settings;
        final List<Event> history = new ArrayList<>();
        final Map<Long, Long> nextId = new HashMap<>();
        long idMax;
        final int publishes;
        long fingerprintBase;
        FileJournal journal;
        StreamOwner owner;

        World(long seed) {
            this.seed = seed;
            random = new Random(seed);
            // Of a hundred actions; 65 are publishes and settles together.
            publishes = 33 + random.nextInt(8);
            storage = new SimulatedStorage(random);
            settings = new JournalSettings(
                    4096 << random.nextInt(3), 1 + random.nextInt(3), 8192, 1 << 20, 16384, 1 << 30, 1000);
        }

        void start() {
            journal = new FileJournal(storage, settings, new ManualClock(), (what, cause) -> {
                throw new AssertionError(what, cause);
            });
            owner = new StreamOwner(journal);
            RecoveryReport report = journal.recover(owner);
            assertThat(report.damagedStreams())
                    .as("damaged streams, seed %d: %s", seed, owner.damaged)
                    .isZero();
            assertThat(report.isWholeDamaged()).as("damage, seed %d", seed).isFalse();
            assertThat(owner.missing()).as("missing records, seed %d", seed).isZero();
            journal.setReleaseOwner(owner);
        }

        void note(long position, long stream, long id, boolean isDrop) {
            history.add(new Event(position, stream, id, isDrop, owner.fingerprint()));
        }

        void act() {
            long stream = 1 + random.nextInt(5);
            TreeMap<Long, Long> ids = owner.live.getOrDefault(stream, new TreeMap<>());
            int choice = random.nextInt(100);
            if (choice < publishes) {
                long id = nextId.merge(stream, 1L, Long::sum);
                idMax = Math.max(idMax, id);
                int bytes = random.nextInt(50) == 0 ? random.nextInt(20_000) : random.nextInt(300);
                note(owner.publish(stream, id, bytes), stream, id, false);
            } else if (choice < 65) {
                if (!ids.isEmpty()) {
                    long id = random.nextInt(4) == 0 ? ids.lastKey() : ids.firstKey();
                    note(owner.settle(stream, id), stream, id, false);
                }
            } else if (choice < 66 && random.nextInt(3) == 0) {
                owner.drop(stream);
                if (random.nextBoolean()) {
                    // The same ids again, for other messages.
                    nextId.remove(stream);
                }
                note(journal.end() - 1, stream, 0, true);
            } else if (choice < 72) {
                journal.commit();
            } else if (choice < 84) {
                journal.writeStep();
            } else if (choice < 92) {
                for (int step = random.nextInt(5); step >= 0; step--) {
                    journal.backgroundStep();
                }
            } else if (choice < 96) {
                Runnable task = owner.inbox.poll();
                for (int step = random.nextInt(8); task != null; step--) {
                    task.run();
                    task = step > 0 ? owner.inbox.poll() : null;
                }
            } else if (choice < 98) {
                journal.readStep();
            } else {
                readSome();
            }
        }

        void readSome() {
            List<Long> streams = new ArrayList<>(owner.live.keySet());
            if (streams.isEmpty()) {
                return;
            }
            long stream = streams.get(random.nextInt(streams.size()));
            check(stream, new TreeMap<>(owner.live.get(stream)));
        }

        void check(long stream, TreeMap<Long, Long> ids) {
            List<Long> order = new ArrayList<>(ids.keySet());
            long[] positions = order.stream().mapToLong(ids::get).toArray();
            journal.read(stream, positions, new BodyCheck(stream, order, "seed " + seed));
        }

        void readAll() {
            owner.live.forEach((stream, ids) -> check(stream, ids));
            while (journal.readStep() == 0) {
                // Each step answers one read.
            }
        }

        /** Finds the moment whose state was recovered, and forgets what came after. */
        void compare(long durable) {
            long found = owner.fingerprint();
            int kept = 0;
            while (kept < history.size() && history.get(kept).position < durable) {
                kept++;
            }
            int moment = kept;
            while (moment <= history.size() && fingerprintAt(moment) != found) {
                moment++;
            }
            assertThat(moment)
                    .as("the recovered state is none after the last promise, seed %d", seed)
                    .isLessThanOrEqualTo(history.size());
            history.clear();
            fingerprintBase = found;
        }

        long fingerprintAt(int count) {
            return count == 0 ? fingerprintBase : history.get(count - 1).after;
        }

        void recoverFrom(long durable) {
            boolean isUp = false;
            while (!isUp) {
                storage.restart();
                if (random.nextInt(3) == 0) {
                    storage.crashAfter(random.nextInt(30));
                }
                try {
                    start();
                    isUp = true;
                } catch (SimulatedStorage.Crash e) {
                    // Died while recovering: the next start tries again.
                }
            }
            compare(durable);
            // A drop may have been lost: its stream must not see its ids twice.
            for (long stream = 1; stream <= 5; stream++) {
                nextId.put(stream, idMax);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void whatARestartFindsIsOneMomentAfterTheLastPromise(int part) {
        for (int seed = part * SEEDS; seed < (part + 1) * SEEDS; seed++) {
            live(seed);
        }
    }

    private static void live(int seed) {
        World world = new World(seed);
        world.start();
        for (int crash = 0; crash < CRASHES; crash++) {
            world.storage.failForSpace(seed % 3 == 0 ? 0.02 : 0);
            world.storage.crashAfter(world.random.nextInt(100 << world.random.nextInt(5)));
            try {
                while (true) {
                    world.act();
                }
            } catch (SimulatedStorage.Crash e) {
                world.storage.failForSpace(0);
                world.recoverFrom(world.journal.durablePosition());
                world.readAll();
            }
        }
    }
}
