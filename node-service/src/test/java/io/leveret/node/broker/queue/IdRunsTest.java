package io.leveret.node.broker.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.leveret.node.broker.message.MessageId;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IdRunsTest {
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void idsInAnyOrderBecomeSortedRuns(long seed) {
        Random random = new Random(seed);
        IdRuns.Builder builder = new IdRuns.Builder();
        for (int round = 0; round < 300; round++) {
            TreeSet<MessageId> ids = new TreeSet<>();
            int adds = random.nextInt(60);
            for (int i = 0; i < adds; i++) {
                long epoch = 1 + random.nextInt(3);
                long first = random.nextInt(100);
                long last = first + (random.nextInt(4) == 0 ? random.nextInt(10) : 0);
                builder.add(epoch, first, last);
                for (long index = first; index <= last; index++) {
                    ids.add(new MessageId(epoch, index));
                }
            }
            IdRuns runs = builder.build();
            assertThat(builder.isEmpty()).isTrue();
            assertThat(runs.size()).as("seed " + seed).isEqualTo(ids.size());
            for (int run = 1; run < runs.count(); run++) {
                assertThat(runs.epoch(run) > runs.epoch(run - 1)
                                || (runs.epoch(run) == runs.epoch(run - 1) && runs.first(run) > runs.last(run - 1) + 1))
                        .as("seed " + seed + " " + runs)
                        .isTrue();
            }
            for (long epoch = 1; epoch <= 3; epoch++) {
                for (long index = 0; index < 112; index++) {
                    MessageId id = new MessageId(epoch, index);
                    assertThat(runs.contains(id)).as("seed " + seed).isEqualTo(ids.contains(id));
                }
            }
        }
    }
}
