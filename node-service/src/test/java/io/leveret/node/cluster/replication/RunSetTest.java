package io.leveret.node.cluster.replication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leveret.node.broker.message.MessageId;
import io.leveret.node.broker.queue.CodecException;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class RunSetTest {
    /** Few epochs and indexes, so that runs meet, and both ends of an epoch. */
    private static final long[] INDEXES = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, Long.MAX_VALUE - 1, Long.MAX_VALUE};

    private final long seed = seed();
    private final Random random = new Random(seed);

    private static long seed() {
        long seed = new Random().nextLong();
        System.out.println("RunSetTest seed " + seed);
        return seed;
    }

    private MessageId id() {
        return new MessageId(random.nextInt(4), INDEXES[random.nextInt(INDEXES.length)]);
    }

    /** What of the small universe lies in from..to. */
    private static TreeSet<MessageId> universe(MessageId from, MessageId to) {
        TreeSet<MessageId> all = new TreeSet<>();
        for (long epoch = 0; epoch < 4; epoch++) {
            for (long index : INDEXES) {
                MessageId id = new MessageId(epoch, index);
                if (id.compareTo(from) >= 0 && id.compareTo(to) <= 0) {
                    all.add(id);
                }
            }
        }
        return all;
    }

    private void assertSame(RunSet set, TreeSet<MessageId> model) {
        for (MessageId each : universe(MessageId.ZERO, new MessageId(4, 0))) {
            assertThat(set.contains(each))
                    .as("seed %d: %s in %s", seed, each, set)
                    .isEqualTo(model.contains(each));
        }
        MessageId[] before = {null};
        set.forEachRun((fromEpoch, fromIndex, toEpoch, toIndex) -> {
            MessageId from = new MessageId(fromEpoch, fromIndex);
            assertThat(before[0] == null || before[0].compareTo(from) < 0)
                    .as("seed %d: runs in order", seed)
                    .isTrue();
            before[0] = new MessageId(toEpoch, toIndex);
        });
    }

    private RunSet randomSet(TreeSet<MessageId> model, int parts) {
        RunSet set = new RunSet();
        for (int part = 0; part < parts; part++) {
            MessageId from = id();
            MessageId to = id();
            set.addRange(from, to);
            model.addAll(universe(from, to));
        }
        return set;
    }

    @Test
    void behavesLikeASetOfIds() {
        for (int round = 0; round < 2000; round++) {
            TreeSet<MessageId> a = new TreeSet<>();
            TreeSet<MessageId> b = new TreeSet<>();
            RunSet setA = randomSet(a, random.nextInt(14));
            RunSet setB = randomSet(b, random.nextInt(14));
            assertSame(setA, a);

            RunSet both = setA.copy();
            both.addAll(setB);
            TreeSet<MessageId> union = new TreeSet<>(a);
            union.addAll(b);
            assertSame(both, union);

            TreeSet<MessageId> less = new TreeSet<>(a);
            less.removeAll(b);
            assertSame(setA.minus(setB), less);

            TreeSet<MessageId> common = new TreeSet<>(a);
            common.retainAll(b);
            assertSame(setA.intersection(setB), common);

            MessageId one = id();
            MessageId after = setA.firstAfter(one);
            MessageId higher = a.higher(one);
            if (higher != null) {
                assertThat(after).as("seed %d", seed).isNotNull();
                assertThat(after.compareTo(higher)).as("seed %d", seed).isLessThanOrEqualTo(0);
            }
            setA.remove(one);
            a.remove(one);
            assertSame(setA, a);
        }
    }

    @Test
    void manyRunsTakeTheMergingPath() {
        RunSet odd = new RunSet();
        RunSet even = new RunSet();
        for (int index = 1; index <= 2000; index++) {
            (index % 2 == 0 ? even : odd).add(1, index);
        }
        assertThat(odd.runCount()).isEqualTo(1000);
        RunSet all = odd.copy();
        all.addAll(even);
        assertThat(all.runCount()).isEqualTo(1);
        all.removeAll(even);
        assertThat(all).isEqualTo(odd);
        assertThat(odd.intersection(even).isEmpty()).isTrue();
        assertThat(odd.part(10, 5).size()).isEqualTo(5);
    }

    @Test
    void idsInOrderMakeOneRun() {
        RunSet set = new RunSet();
        for (int index = 1; index <= 100_000; index++) {
            set.add(7, index);
        }
        assertThat(set.runCount()).isEqualTo(1);
        assertThat(set.size()).isEqualTo(100_000);
    }

    @Test
    void decodingGivesWhatWasEncoded() {
        for (int round = 0; round < 500; round++) {
            RunSet set = randomSet(new TreeSet<>(), random.nextInt(12));
            RecordWriter out = new RecordWriter(8);
            set.write(out);
            RecordReader in = new RecordReader(out.toByteArray());
            assertThat(RunSet.read(in)).as("seed %d", seed).isEqualTo(set);
            in.expectEnd();
        }
    }

    @Test
    void runsOutOfOrderAreRefused() {
        RecordWriter out = new RecordWriter(8);
        out.putVar(2);
        for (int run = 0; run < 2; run++) {
            out.putVar(0);
            out.putVar(1);
            out.putVar(0);
            out.putVar(0);
        }
        assertThatThrownBy(() -> RunSet.read(new RecordReader(out.toByteArray())))
                .isInstanceOf(CodecException.class);
    }
}
