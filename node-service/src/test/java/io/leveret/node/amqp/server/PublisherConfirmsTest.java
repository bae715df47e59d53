package io.leveret.node.amqp.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class PublisherConfirmsTest {
    private final PublishWindow window =
            new PublishWindow(new Intake(Long.MAX_VALUE, Long.MAX_VALUE, () -> false).share());
    private final PublisherConfirms confirms = new PublisherConfirms(window);

    @Test
    void answersOfAStretchBecomeOneConfirm() {
        confirms.select();
        publish(3, 1);
        answer(1, 2, 3);
        assertThat(collect()).containsExactly("ack 3 multiple");
        assertThat(window.messages()).isZero();
    }

    @Test
    void aConfirmWaitsForEveryQueue() {
        confirms.select();
        publish(1, 2);
        answer(1);
        assertThat(collect()).isEmpty();
        answer(1);
        assertThat(collect()).containsExactly("ack 1");
    }

    @Test
    void oneRefusalRefusesThePublish() {
        confirms.select();
        publish(3, 2);
        confirms.answered(2, false);
        answer(1, 1, 2, 3, 3);
        assertThat(collect()).containsExactly("ack 1", "nack 2", "ack 3");
    }

    @Test
    void aSlowQueueHoldsUpNoOther() {
        confirms.select();
        publish(4, 1);
        answer(2, 4);
        assertThat(collect()).containsExactly("ack 2", "ack 4");
        answer(3);
        assertThat(collect()).containsExactly("ack 3");
        answer(1);
        assertThat(collect()).containsExactly("ack 1");
        assertThat(collect()).isEmpty();
    }

    @Test
    void answersMayComeWhileRouting() {
        confirms.select();
        long number = confirms.open(10);
        confirms.answered(number, true);
        assertThat(collect()).isEmpty();
        confirms.routed(number, 2);
        assertThat(collect()).isEmpty();
        confirms.answered(number, true);
        assertThat(collect()).containsExactly("ack 1");
    }

    @Test
    void theUnroutableIsConfirmedAtOnce() {
        confirms.select();
        publish(1, 0);
        assertThat(collect()).containsExactly("ack 1");
    }

    @Test
    void tagsBeginWithTheSelect() {
        publish(5, 1);
        confirms.select();
        publish(1, 1);
        confirms.select();
        answer(1, 2, 3, 4, 5, 6);
        assertThat(collect()).containsExactly("ack 1");
    }

    @Test
    void oneAnswerTooManyIsABrokenInvariant() {
        publish(1, 1);
        answer(1);
        assertThatThrownBy(() -> answer(1)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void theWindowFillsAndEmpties() {
        publish(PublishWindow.MESSAGES_MAX - 1, 1);
        assertThat(window.isFull()).isFalse();
        publish(1, 1);
        assertThat(window.isFull()).isTrue();
        for (int i = 1; i <= PublishWindow.MESSAGES_MAX / 2; i++) {
            answer(i);
        }
        assertThat(window.isHalfEmpty()).isTrue();
        confirms.abandon();
        assertThat(window.messages()).isZero();
        confirms.open((int) PublishWindow.BYTES_MAX);
        assertThat(window.isFull()).isTrue();
    }

    /** Against a naive model: every publish gets exactly one confirm with the right verdict, not before its last answer. */
    @Test
    void everyPublishGetsOneConfirm() {
        long seed = Long.getLong("confirms.seed", 11L);
        System.out.println("confirms.seed=" + seed);
        Random random = new Random(seed);
        confirms.select();
        Map<Long, Integer> left = new HashMap<>();
        Map<Long, Boolean> verdicts = new HashMap<>();
        TreeSet<Long> outstanding = new TreeSet<>();
        long published = 0;
        for (int step = 0; step < 50_000; step++) {
            if (random.nextInt(3) == 0 && outstanding.size() < 500) {
                int queues = random.nextInt(4);
                long number = confirms.open(1);
                confirms.routed(number, queues);
                published++;
                left.put(number, queues);
                verdicts.put(number, true);
                outstanding.add(number);
            } else if (!left.isEmpty()) {
                List<Long> open = new ArrayList<>(outstanding);
                long number = open.get(Math.min(open.size() - 1, random.nextInt(20)));
                if (left.get(number) > 0) {
                    boolean isConfirmed = random.nextInt(10) != 0;
                    confirms.answered(number, isConfirmed);
                    left.merge(number, -1, Integer::sum);
                    verdicts.merge(number, isConfirmed, Boolean::logicalAnd);
                }
            }
            if (random.nextInt(10) == 0) {
                confirms.collect((tag, isMultiple, isConfirmed) -> {
                    List<Long> covered = isMultiple ? new ArrayList<>(outstanding.headSet(tag, true)) : List.of(tag);
                    assertThat(covered).isNotEmpty();
                    for (long each : covered) {
                        assertThat(outstanding.remove(each)).isTrue();
                        assertThat(left.remove(each)).isZero();
                        assertThat(verdicts.remove(each)).isEqualTo(isConfirmed);
                    }
                });
                assertThat(left.values()).doesNotContain(0);
            }
        }
        assertThat(published).isGreaterThan(5_000);
    }

    private void publish(int count, int queues) {
        for (int i = 0; i < count; i++) {
            confirms.routed(confirms.open(1), queues);
        }
    }

    private void answer(long... numbers) {
        for (long number : numbers) {
            confirms.answered(number, true);
        }
    }

    private List<String> collect() {
        List<String> found = new ArrayList<>();
        confirms.collect((tag, isMultiple, isConfirmed) ->
                found.add((isConfirmed ? "ack " : "nack ") + tag + (isMultiple ? " multiple" : "")));
        return found;
    }
}
