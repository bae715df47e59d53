package io.leveret.node.cluster.replication;

import static org.assertj.core.api.Assertions.assertThat;

import io.leveret.node.broker.message.MessageId;
import io.leveret.node.broker.message.Origin;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class DedupeTest {
    private final Dedupe dedupe = new Dedupe();

    private static Origin origin(long number) {
        return new Origin(1, 1, 1, number);
    }

    @Test
    void behavesLikeAMapOfNumbers() {
        long seed = new Random().nextLong();
        System.out.println("DedupeTest seed " + seed);
        Random random = new Random(seed);
        DedupeChannel channel = new DedupeChannel(new ChannelKey(1, 1, 1));
        TreeMap<Long, MessageId> model = new TreeMap<>();
        for (int step = 0; step < 20_000; step++) {
            long number = random.nextInt(3) == 0 || model.isEmpty()
                    ? 1 + random.nextInt(300)
                    : model.lastKey() + 1 + random.nextInt(2);
            switch (random.nextInt(6)) {
                case 0 -> {
                    channel.remove(number);
                    model.remove(number);
                }
                case 1 -> {
                    long floor = model.isEmpty() ? 0 : model.firstKey() + random.nextInt(4);
                    channel.trim(floor, 0);
                    model.headMap(floor).clear();
                }
                default -> {
                    if (!model.containsKey(number)) {
                        model.put(number, new MessageId(2, step));
                        channel.put(number, 2, step);
                    }
                }
            }
            assertThat(channel.count()).as("seed %d", seed).isEqualTo(model.size());
            assertThat(channel.get(number)).as("seed %d", seed).isEqualTo(model.get(number));
        }
    }

    @Test
    void aFreezeKeepsOlderIdsWhateverTheFloorSays() {
        dedupe.accept(origin(1), 3, 10);
        dedupe.freeze(4);
        for (int number = 2; number <= 1000; number++) {
            dedupe.accept(origin(number), 4, number);
            dedupe.trim(origin(number), number);
        }
        assertThat(dedupe.held(origin(1))).isEqualTo(new MessageId(3, 10));
        assertThat(dedupe.channel(new ChannelKey(1, 1, 1)).count())
                .as("the frozen one at the head holds up no others")
                .isLessThan(64);
        Dedupe.Frozen before = dedupe.thaw();
        dedupe.trim(origin(1000), 1000);
        assertThat(dedupe.held(origin(1))).isNull();
        assertThat(before.epoch()).isEqualTo(4);
    }

    @Test
    void whatWasSentAgainIsRememberedUpToABound() {
        for (int number = 0; number <= Dedupe.RESENT_MAX; number++) {
            dedupe.noteResent(origin(number), new MessageId(1, number));
        }
        assertThat(dedupe.resentCount()).isEqualTo(Dedupe.RESENT_MAX);
        assertThat(dedupe.resent(origin(0))).as("the oldest went").isNull();
        assertThat(dedupe.resent(origin(1))).isEqualTo(new MessageId(1, 1));
    }

    @Test
    void aLostChannelLeavesItsPublishesAmongTheResent() {
        dedupe.accept(origin(7), 1, 3);
        dedupe.close(new ChannelKey(1, 1, 1), true);
        assertThat(dedupe.held(origin(7))).isNull();
        assertThat(dedupe.resent(origin(7))).isEqualTo(new MessageId(1, 3));
    }

    @Test
    void aTakenBackPublishLeavesNoTrace() {
        long before = dedupe.accept(origin(7), 1, 3);
        long second = dedupe.accept(origin(9), 1, 4);
        dedupe.takeBack(origin(9), second);
        assertThat(dedupe.channel(new ChannelKey(1, 1, 1)).highest).isEqualTo(7);
        dedupe.takeBack(origin(7), before);
        assertThat(dedupe.channelCount()).isZero();
    }
}
