package io.leveret.node.amqp.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class UnackedDeliveriesTest {
    private final UnackedDeliveries<Consumer> unacked = new UnackedDeliveries<>();
    private final List<String> settled = new ArrayList<>();

    private static final class Consumer extends UnackedDeliveries.Source {
        private final String name;
        private long last;

        Consumer(String name) {
            this.name = name;
        }
    }

    private final Consumer a = new Consumer("a");
    private final Consumer b = new Consumer("b");

    @Test
    void multipleIsOneRangePerSource() {
        deliver(a, a, b, a, b);
        assertThat(settle(4, true)).isEqualTo(4);
        assertThat(settled).containsExactly("a 1-3", "b 1-1");
        assertThat(unacked.size()).isEqualTo(1);
        assertThat(settle(0, true)).isEqualTo(1);
        assertThat(settled).containsExactly("a 1-3", "b 1-1", "b 2-2");
    }

    @Test
    void aHoleSplitsARange() {
        deliver(a, a, a, a);
        settle(2, false);
        settle(4, true);
        assertThat(settled).containsExactly("a 2-2", "a 1-1", "a 3-4");
    }

    @Test
    void unknownTagsAreToldApart() {
        assertThat(settle(1, false)).isEqualTo(-1);
        assertThat(settle(0, true)).isZero();
        assertThat(settle(0, false)).isEqualTo(-1);
        deliver(a);
        assertThat(settle(2, true)).isEqualTo(-1);
        assertThat(settle(1, false)).isEqualTo(1);
        assertThat(settle(1, false)).isEqualTo(-1);
        assertThat(unacked.skip()).isEqualTo(2);
        assertThat(settle(2, false)).isEqualTo(-1);
        assertThat(settle(-1, false)).isEqualTo(-1);
    }

    @Test
    void memoryFollowsWhatIsUnsettled() {
        deliver(a);
        for (int i = 0; i < 1_000_000; i++) {
            long tag = unacked.add(b, ++b.last);
            assertThat(unacked.settle(tag, false, (source, from, to) -> {})).isEqualTo(1);
        }
        assertThat(unacked.size()).isEqualTo(1);
        assertThat(settle(1, false)).isEqualTo(1);
        assertThat(settled).containsExactly("a 1-1");
    }

    @Test
    void itBehavesLikeATree() {
        long seed = Long.getLong("unacked.seed", 5L);
        System.out.println("unacked.seed=" + seed);
        Random random = new Random(seed);
        TreeMap<Long, String> model = new TreeMap<>();
        List<Long> tags = new ArrayList<>();
        Map<Long, Map.Entry<Consumer, Long>> taken = new TreeMap<>();
        for (int step = 0; step < 100_000; step++) {
            int choice = random.nextInt(20);
            if (choice < 10) {
                Consumer source = random.nextBoolean() ? a : b;
                long tag = unacked.add(source, ++source.last);
                model.put(tag, source.name + source.last);
                tags.add(tag);
            } else if (choice == 10) {
                tags.add(unacked.skip());
            } else if (choice == 11 && !tags.isEmpty()) {
                long tag = tags.get(Math.max(0, tags.size() - 1 - random.nextInt(30)));
                boolean isMultiple = random.nextInt(20) == 0;
                Map<Long, String> expected = isMultiple ? model.headMap(tag, true) : model.subMap(tag, true, tag, true);
                Map<Long, String> found = new TreeMap<>();
                int count = unacked.take(tag, isMultiple, (each, source, number) -> {
                    found.put(each, source.name + number);
                    taken.put(each, Map.entry(source, number));
                });
                assertThat(count).isEqualTo(model.containsKey(tag) ? found.size() : -1);
                if (count > 0) {
                    assertThat(found).isEqualTo(expected);
                    expected.clear();
                }
            } else if (choice == 12) {
                taken.forEach((tag, from) -> {
                    unacked.restore(tag, from.getKey(), from.getValue());
                    model.put(tag, from.getKey().name + from.getValue());
                });
                taken.clear();
            } else if (!tags.isEmpty()) {
                // Mostly recent tags, so that a few old ones stay behind.
                int back = Math.min(tags.size(), 1 + random.nextInt(random.nextInt(50) == 0 ? 500 : 20));
                long tag = tags.get(tags.size() - back);
                boolean isMultiple = choice == 19 && random.nextInt(50) == 0;
                List<String> found = new ArrayList<>();
                int count = unacked.settle(tag, isMultiple, (source, from, to) -> {
                    for (long number = from; number <= to; number++) {
                        found.add(source.name + number);
                    }
                });
                if (!model.containsKey(tag)) {
                    assertThat(count).isEqualTo(-1);
                    continue;
                }
                Map<Long, String> expected = isMultiple ? model.headMap(tag, true) : model.subMap(tag, true, tag, true);
                assertThat(found).containsExactlyInAnyOrderElementsOf(expected.values());
                assertThat(count).isEqualTo(found.size());
                expected.clear();
            }
            assertThat(unacked.size()).isEqualTo(model.size());
        }
    }

    private void deliver(Consumer... sources) {
        for (Consumer source : sources) {
            unacked.add(source, ++source.last);
        }
    }

    private int settle(long tag, boolean isMultiple) {
        return unacked.settle(tag, isMultiple, (source, from, to) -> settled.add(source.name + " " + from + "-" + to));
    }
}
