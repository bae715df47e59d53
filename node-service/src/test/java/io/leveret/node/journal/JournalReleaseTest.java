package io.leveret.node.journal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

/** What release costs and what it frees. */
class JournalReleaseTest {
    private static final int BODY = 200;

    private final SimulatedStorage storage = new SimulatedStorage(new Random(8));
    private final SteppedJournal world =
            new SteppedJournal(storage, new JournalSettings(8192, 2, 8192, 1 << 20, 16384, 1 << 30, 1000));

    private void publish(long stream, long first, int count) {
        for (long id = first; id < first + count; id++) {
            world.owner.publish(stream, id, BODY);
            if (id % 8 == 0) {
                world.settleDown();
            }
        }
        world.settleDown();
    }

    @Test
    void whatIsSettledBeforeTheReleaseIsNeverWrittenAgain() {
        for (long id = 1; id <= 500; id++) {
            world.owner.publish(1, id, BODY);
            if (id > 3) {
                world.owner.settle(1, id - 3);
            }
            world.settleDown();
        }
        JournalStatistics statistics = world.journal.statistics();

        assertThat(statistics.releasedFiles()).isGreaterThan(10);
        assertThat(statistics.copiedBytes()).isZero();
        assertThat(statistics.logFiles()).isLessThanOrEqualTo(4);
        assertThat(statistics.segments()).isZero();
    }

    @Test
    void theLogStaysBoundedAndLongLivedMessagesAreCopiedOnce() {
        publish(1, 1, 400);
        JournalStatistics statistics = world.journal.statistics();

        assertThat(statistics.logFiles()).isLessThanOrEqualTo(4);
        assertThat(statistics.copiedBytes()).isBetween(300L * BODY, 400L * (BODY + 64));
        assertThat(world.readAll(1).seen).isEqualTo(400);
    }

    @Test
    void segmentsGoWhenTheirMessagesAreSettledAndRewritingIsBounded() {
        publish(1, 1, 400);
        long copied = world.journal.statistics().copiedBytes();
        int segments = world.journal.statistics().segments();
        Random random = new Random(9);
        for (long id = 1; id <= 400; id++) {
            if (random.nextInt(10) > 0) {
                world.owner.settle(1, id);
            }
            world.settleDown();
        }
        JournalStatistics statistics = world.journal.statistics();

        assertThat(statistics.segments()).isLessThan(segments / 2);
        // A segment is moved when at most half of it is live: no more is written again than has been freed.
        assertThat(statistics.copiedBytes() - copied).isLessThanOrEqualTo(400L * (BODY + 64));
        assertThat(world.readAll(1).seen)
                .isEqualTo(world.owner.live.get(1L).size())
                .isPositive();
    }

    @Test
    void aDroppedStreamGivesItsSegmentsBack() {
        publish(1, 1, 400);
        assertThat(world.journal.statistics().segments()).isGreaterThan(5);

        world.owner.drop(1);
        publish(2, 1, 200);

        assertThat(world.journal.statistics().segments()).isLessThanOrEqualTo(6);
        assertThat(world.readAll(2).seen).isEqualTo(200);
        world.restart();
        assertThat(world.owner.live).containsOnlyKeys(2L);
        assertThat(world.owner.missing()).isZero();
    }

    @Test
    void aNumberUsedAgainAfterADropIsANewStream() {
        publish(1, 1, 300);
        world.owner.drop(1);
        publish(1, 250, 100);

        world.restart();

        assertThat(world.owner.live.get(1L).firstKey()).isEqualTo(250L);
        assertThat(world.readAll(1).seen).isEqualTo(100);
    }

    @Test
    void oldCopiesAreNotTakenForMessagesOfANewStreamOfTheSameNumber() {
        for (long id = 1; id <= 100; id++) {
            world.owner.publish(1, id, BODY);
            world.owner.publish(2, id, BODY);
            world.owner.publish(2, 100 + id, BODY);
        }
        publish(2, 201, 100);
        assertThat(world.owner.live.get(1L).get(1L)).matches(Journal::isInSegment);
        world.owner.drop(1);
        publish(1, 1, 10);
        for (long id = 11; id <= 100; id++) {
            world.owner.publish(1, id, BODY + 1);
        }
        publish(2, 301, 100);
        long expected = world.owner.fingerprint();

        world.restart();

        assertThat(world.owner.fingerprint()).isEqualTo(expected);
        assertThat(world.readAll(1).seen).isEqualTo(100);
    }

    @Test
    void aStreamThatNobodyKnowsIsForgotten() {
        publish(1, 1, 8);
        world.owner.live.clear();
        publish(2, 1, 200);

        world.restart();

        assertThat(world.owner.live).containsOnlyKeys(2L);
    }

    @Test
    void aFullDiskStopsTheSourceAndPromisesNothingUntilThereIsSpace() {
        publish(1, 1, 8);
        long durable = world.journal.durablePosition();
        storage.failForSpace(1);
        world.owner.publish(1, 9, BODY);
        world.journal.commit();
        assertThat(world.journal.writeStep()).isPositive();

        assertThat(world.journal.isCongested()).isTrue();
        assertThat(world.journal.statistics().isDiskFull()).isTrue();
        assertThat(world.journal.durablePosition()).isEqualTo(durable);
        assertThat(world.readAll(1).seen).as("readable meanwhile").isEqualTo(9);

        boolean[] isRelieved = {false};
        world.journal.addRelievedListener(() -> isRelieved[0] = true);
        storage.failForSpace(0);
        world.sync();

        assertThat(world.journal.durablePosition()).isGreaterThan(durable);
        assertThat(isRelieved[0]).isTrue();
        assertThat(world.fatal).isEmpty();
        world.restart();
        assertThat(world.readAll(1).seen).isEqualTo(9);
    }

    @Test
    void aFileThatTheWriterCouldNotRenameYetIsNotFilledWithZeros() {
        publish(1, 1, 8);
        storage.failRenames(1);
        long next = 9;
        while (!world.journal.statistics().isDiskFull()) {
            world.owner.publish(1, next++, BODY);
            world.journal.commit();
            world.journal.writeStep();
        }
        for (int step = 0; step < 5; step++) {
            world.journal.backgroundStep();
        }
        publish(1, next, 200);

        assertThat(world.fatal).isEmpty();
        world.restart();
        assertThat(world.readAll(1).seen).isEqualTo((int) next - 1 + 200);
    }

    @Test
    void aRecordLargerThanAFileGetsOneOfItsOwn() {
        publish(1, 1, 3);
        world.owner.publish(1, 4, 50_000);
        publish(1, 5, 3);
        world.restart();
        assertThat(world.readAll(1).seen).isEqualTo(7);

        publish(1, 8, 200);
        world.restart();
        assertThat(world.owner.live.get(1L).get(4L)).matches(Journal::isInSegment);
        assertThat(world.readAll(1).seen).isEqualTo(207);
    }

    @Test
    void aFileUsedAgainShowsNothingOfItsEarlierUse() {
        publish(1, 1, 300);
        world.restart();
        world.restart();
        assertThat(world.report.records() + world.report.stored()).isGreaterThanOrEqualTo(300);
        assertThat(world.owner.live.get(1L)).hasSize(300);
        assertThat(world.readAll(1).seen).isEqualTo(300);
    }

    @Test
    void congestionEndsWhenHalfIsWritten() {
        int[] relieved = {0};
        world.journal.addRelievedListener(() -> relieved[0]++);
        for (long id = 1; !world.journal.isCongested(); id++) {
            world.owner.publish(1, id, 10_000);
        }
        assertThat(world.journal.statistics().bufferedBytes()).isGreaterThan(1 << 20);
        world.sync();
        assertThat(world.journal.isCongested()).isFalse();
        assertThat(relieved[0]).isOne();
    }
}
