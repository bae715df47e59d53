package io.leveret.node.broker.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.leveret.node.broker.message.Message;
import io.leveret.node.broker.message.MessageId;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LiveMessagesTest {
    private static LiveMessage entry(long epoch, long index, int bytes, boolean isPersistent) {
        Message message = new Message("", "q", new byte[2], new byte[bytes], isPersistent);
        return LiveMessage.of(new MessageId(epoch, index), new QueueEvent.Published(message, null, 0, false));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void isASortedMapWhateverHappens(long seed) {
        new Model(seed).run(30_000);
    }

    /** Random operations on both, in phases that favour one kind, so that queues become long, sparse and empty. */
    private static final class Model {
        final long seed;
        final Random random;
        final LiveMessages live = new LiveMessages();
        final TreeMap<MessageId, LiveMessage> model = new TreeMap<>();
        final List<LiveMessage> removed = new ArrayList<>();
        long epoch = 3;
        long index = 0;

        Model(long seed) {
            this.seed = seed;
            random = new Random(seed);
        }

        void run(int steps) {
            int bias = 50;
            for (int step = 0; step < steps; step++) {
                if (step % 2000 == 0) {
                    bias = 10 + random.nextInt(80);
                }
                if (random.nextInt(100) < bias) {
                    grow();
                } else {
                    shrink();
                }
                if (step % 97 == 0) {
                    check("seed " + seed + " step " + step);
                }
            }
            check("seed " + seed);
        }

        void grow() {
            int kind = random.nextInt(20);
            if (kind == 0 && !removed.isEmpty()) {
                put(removed.remove(random.nextInt(removed.size())));
            } else if (kind == 1) {
                put(entry(1 + random.nextInt((int) epoch), 1 + random.nextInt(3000), random.nextInt(9), false));
            } else if (kind == 2) {
                long from = 1 + random.nextInt(3000);
                long old = 1 + random.nextInt((int) epoch);
                for (long at = from; at < from + 40; at++) {
                    put(entry(old, at, 1, true));
                }
            } else if (kind == 3 && random.nextInt(100) == 0) {
                epoch++;
                index = random.nextBoolean() ? 0 : 5_000_000_000L;
            } else {
                index += random.nextInt(10) == 0 ? 1 + random.nextInt(5) : 1;
                put(entry(epoch, index, random.nextInt(100), random.nextBoolean()));
            }
        }

        void put(LiveMessage entry) {
            assertThat(live.add(entry)).isEqualTo(!model.containsKey(entry.id()));
            model.putIfAbsent(entry.id(), entry);
        }

        void shrink() {
            if (model.isEmpty()) {
                assertThat(live.remove(new MessageId(epoch, index))).isNull();
                return;
            }
            MessageId id = model.firstKey();
            int kind = random.nextInt(10);
            if (kind < 3) {
                MessageId anywhere = new MessageId(1 + random.nextInt((int) epoch), random.nextInt(4000));
                MessageId found = model.ceilingKey(anywhere);
                id = found == null ? model.lastKey() : found;
            }
            if (kind == 9) {
                removeRun(id, 1 + random.nextInt(random.nextInt(20) == 0 ? 2000 : 30));
            } else if (kind == 8) {
                changeInPlace(id);
            } else {
                assertThat(live.remove(id)).isEqualTo(model.get(id));
                removed.add(model.remove(id));
            }
        }

        void removeRun(MessageId id, int length) {
            MessageId last = new MessageId(id.epoch(), id.index() + length);
            List<LiveMessage> gone = new ArrayList<>();
            live.removeAll(IdRuns.range(id.epoch(), id.index(), last.index()), gone::add);
            NavigableMap<MessageId, LiveMessage> expected = model.subMap(id, true, last, true);
            assertThat(gone).isEqualTo(new ArrayList<>(expected.values()));
            if (random.nextBoolean()) {
                gone.forEach(live::add);
            } else {
                removed.addAll(gone);
                expected.clear();
            }
            while (removed.size() > 3000) {
                removed.remove(0);
            }
        }

        void changeInPlace(MessageId id) {
            LiveMessage entry = model.get(id);
            long position = 1 + random.nextInt(1000);
            assertThat(live.setPosition(id, position)).isTrue();
            assertThat(live.detach(id)).isTrue();
            Message message = random.nextBoolean() ? null : new Message("", "q", new byte[1], new byte[3], true);
            if (message != null) {
                live.attach(id, message);
            }
            model.put(
                    id, new LiveMessage(id, position, entry.bodyBytes(), entry.flags(), 0, LiveMessage.NEVER, message));
        }

        void check(String where) {
            List<LiveMessage> found = new ArrayList<>();
            live.forEach(found::add);
            assertThat(found).as(where).isEqualTo(new ArrayList<>(model.values()));
            assertThat(live.count()).as(where).isEqualTo(model.size());
            assertThat(live.readyCount()).as(where).isEqualTo(model.size());
            long bytes =
                    model.values().stream().mapToLong(LiveMessage::bodyBytes).sum();
            assertThat(live.bytes()).as(where).isEqualTo(bytes);
            assertThat(live.readyBytes()).as(where).isEqualTo(bytes);
            assertThat(live.persistentCount())
                    .as(where)
                    .isEqualTo(model.values().stream()
                            .filter(LiveMessage::isPersistent)
                            .count());
            assertThat(live.residentBytes())
                    .as(where)
                    .isEqualTo(model.values().stream()
                            .mapToLong(
                                    e -> e.message() == null ? 0 : e.message().memoryBytes())
                            .sum());
            assertThat(live.lastId()).as(where).isEqualTo(model.isEmpty() ? null : model.lastKey());
            MessageId from = new MessageId(1 + random.nextInt((int) epoch), random.nextInt(4000));
            MessageId to = new MessageId(from.epoch() + random.nextInt(2), from.index() + random.nextInt(100));
            IdRuns.Builder runs = new IdRuns.Builder();
            model.subMap(from, true, to, true).keySet().forEach(id -> runs.add(id.epoch(), id.index()));
            assertThat(live.runs(from, to)).as(where).isEqualTo(runs.build());
            var next = model.higherEntry(from);
            assertThat(live.next(from)).as(where).isEqualTo(next == null ? null : next.getValue());
            assertThat(live.contains(from)).as(where).isEqualTo(model.containsKey(from));
            assertThat(live.get(from)).as(where).isEqualTo(model.get(from));
        }
    }

    @Test
    void olderMessagesComeInAnyOrder() {
        LiveMessages live = new LiveMessages();
        for (long index = 5000; index > 0; index--) {
            live.add(entry(1, index, 1, false));
        }
        assertThat(live.runs()).isEqualTo(IdRuns.range(1, 1, 5000));
    }

    @Test
    void prioritiesAndDeadlinesAreKept() {
        LiveMessages live = new LiveMessages();
        for (int index = 1; index <= 600; index++) {
            live.add(new LiveMessage(new MessageId(1, index), 7, 0, 0, index % 256, 1000 + index, null));
        }
        live.add(new LiveMessage(new MessageId(1, 601), 7, 0, 0, 0, LiveMessage.NEVER, null));
        for (int index = 2; index <= 590; index++) {
            live.remove(new MessageId(1, index));
        }
        assertThat(live.get(new MessageId(1, 1)))
                .extracting(LiveMessage::priority)
                .isEqualTo(1);
        assertThat(live.get(new MessageId(1, 599)))
                .extracting(LiveMessage::priority, LiveMessage::expiresAtMillis)
                .containsExactly(599 % 256, 1599L);
        assertThat(live.get(new MessageId(1, 601)))
                .extracting(LiveMessage::priority, LiveMessage::expiresAtMillis)
                .containsExactly(0, LiveMessage.NEVER);
    }

    @Test
    void twoMillionMessagesAtRestTakeAtMostTwentyFourBytesEach() {
        int count = 2_000_000;
        long before = usedBytes();
        LiveMessages live = new LiveMessages();
        for (int index = 1; index <= count; index++) {
            live.add(new LiveMessage(new MessageId(1, index), index, 1024, 0, 0, LiveMessage.NEVER, null));
        }
        long each = (usedBytes() - before) / count;
        assertThat(each).isBetween(10L, 24L);
        assertThat(live.count()).isEqualTo(count);
    }

    private static long usedBytes() {
        Runtime runtime = Runtime.getRuntime();
        for (int i = 0; i < 4; i++) {
            System.gc();
        }
        return runtime.totalMemory() - runtime.freeMemory();
    }

    @Test
    void aBodyWithoutPositionStaysInMemory() {
        LiveMessages live = new LiveMessages();
        live.add(entry(1, 1, 10, true));
        MessageId id = new MessageId(1, 1);
        assertThat(live.detach(id)).isFalse();
        assertThat(live.residentCount()).isEqualTo(1);
        live.setPosition(id, 1);
        assertThat(live.detach(id)).isTrue();
        assertThat(live.residentCount()).isZero();
        assertThat(live.residentBytes()).isZero();
    }

    @Test
    void recordsThatMoveAreFoundByTheirPosition() {
        LiveMessages live = new LiveMessages();
        for (int index = 1; index <= 2000; index++) {
            live.add(new LiveMessage(new MessageId(1, index), 10L * index, 7, 0, 0, LiveMessage.NEVER, null));
        }
        live.remove(new MessageId(1, 101));
        assertThat(live.positionsIn(1000, 1041)).containsExactly(1000, 1020, 1030, 1040);
        List<Long> gone = new ArrayList<>();
        live.relocate(new long[] {1000, 1010, 20_000}, new long[] {1L << 62, 1L << 62 | 5, 7}, gone::add);
        assertThat(gone).containsExactly(1L << 62 | 5);
        assertThat(live.get(new MessageId(1, 100)))
                .extracting(LiveMessage::position)
                .isEqualTo(1L << 62);
        assertThat(live.get(new MessageId(1, 2000)))
                .extracting(LiveMessage::position)
                .isEqualTo(7L);
        assertThat(live.positionsIn(1L << 62, Long.MAX_VALUE)).containsExactly(1L << 62);
    }

    @Test
    void whatIsOutIsNotReady() {
        LiveMessages live = new LiveMessages();
        for (int index = 1; index <= 2000; index++) {
            live.add(entry(1, index, 1, false));
        }
        MessageCursor cursor = new MessageCursor();
        for (int index = 1; index <= 1500; index++) {
            assertThat(live.findReady(cursor)).isTrue();
            assertThat(cursor.index).isEqualTo(index);
            live.takeOut(cursor);
        }
        assertThat(live.readyCount()).isEqualTo(500);
        assertThat(live.readyBytes()).isEqualTo(500);
        assertThat(live.putBack(1, 3, true)).isZero();
        assertThat(live.putBack(1, 3, true)).isEqualTo(LiveMessages.NOT_OUT);
        cursor.moveBackTo(1, 3);
        assertThat(live.findReady(cursor)).isTrue();
        assertThat(cursor.index).isEqualTo(3);
        live.takeOut(cursor);
        assertThat(live.findReady(cursor)).isTrue();
        assertThat(cursor.index).isEqualTo(1501);
        live.remove(new MessageId(1, 1));
        live.putAllBack();
        assertThat(live.readyCount()).isEqualTo(1999);
    }
}
