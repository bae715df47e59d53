package io.leveret.node.broker.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UnsettledDeliveriesTest {
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void isASortedMapOfWhatIsUnsettled(long seed) {
        Random random = new Random(seed);
        UnsettledDeliveries deliveries = new UnsettledDeliveries();
        TreeMap<Long, Long> model = new TreeMap<>();
        long number = 0;
        for (int step = 0; step < 20_000; step++) {
            if (random.nextInt(100) < (step / 1000 % 2 == 0 ? 60 : 30)) {
                number += 1 + random.nextInt(2);
                deliveries.add(number, 7, 1000 + number);
                model.put(number, 1000 + number);
            } else {
                long from = model.isEmpty() || random.nextInt(3) > 0 ? number - random.nextInt(60) : model.firstKey();
                long to = from + random.nextInt(5);
                List<Long> settled = new ArrayList<>();
                for (int at = deliveries.placeOf(from); at < deliveries.end() && deliveries.number(at) <= to; at++) {
                    if (deliveries.isUnsettled(at)) {
                        settled.add(deliveries.index(at));
                        deliveries.settle(at);
                    }
                }
                deliveries.tidy();
                assertThat(settled)
                        .as("seed " + seed)
                        .isEqualTo(new ArrayList<>(
                                model.subMap(from, true, to, true).values()));
                model.subMap(from, true, to, true).clear();
            }
            assertThat(deliveries.count()).as("seed " + seed).isEqualTo(model.size());
        }
    }

    @Test
    void oneThatStaysBehindDoesNotKeepTheRest() {
        UnsettledDeliveries deliveries = new UnsettledDeliveries();
        deliveries.add(1, 1, 1);
        for (long number = 2; number < 100_000; number++) {
            deliveries.add(number, 1, number);
            deliveries.settle(deliveries.placeOf(number));
            deliveries.tidy();
        }
        assertThat(deliveries.count()).isEqualTo(1);
        assertThat(deliveries.capacity()).isLessThanOrEqualTo(16);
        assertThat(deliveries.index(deliveries.placeOf(1))).isEqualTo(1);
    }
}
