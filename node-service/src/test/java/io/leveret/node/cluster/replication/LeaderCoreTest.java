package io.leveret.node.cluster.replication;

import static org.assertj.core.api.Assertions.assertThat;

import io.leveret.node.broker.message.Message;
import io.leveret.node.broker.message.MessageId;
import io.leveret.node.broker.message.Origin;
import io.leveret.node.broker.queue.IdRuns;
import io.leveret.node.broker.queue.LiveMessage;
import io.leveret.node.broker.queue.QueueEvent;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LeaderCoreTest {
    private static final LeaderSettings SETTINGS = LeaderFixture.settings(1, 1000);

    private static LeaderFixture leader(Integer... inSync) {
        return new LeaderFixture(SETTINGS, Rules.ALL, inSync);
    }

    @Test
    void confirmWaitsForEveryInSyncMirror() {
        LeaderFixture it = leader(2, 3);
        it.hello(2, 1, MessageId.ZERO);
        it.hello(3, 1, MessageId.ZERO);
        it.publish(1, false);
        it.fsync();
        it.taken();
        it.answer(2, 1, 1, 0, 0, 0);
        assertThat(it.taken()).isEmpty();
        it.answer(3, 1, 1, 0, 0, 0);
        assertThat(it.taken()).containsExactly("ack 1..1");
    }

    @Test
    void aPersistentMessageWaitsForEveryDisk() {
        LeaderFixture it = leader(2);
        it.hello(2, 1, MessageId.ZERO);
        it.publish(1, true);
        it.answer(2, 1, 1, 1, 0, 0);
        assertThat(it.taken()).containsExactly("2 gets 5/1");
        it.fsync();
        assertThat(it.taken()).containsExactly("ack 1..1");
    }

    @Test
    void answersThatFollowEachOtherAreOneRange() {
        LeaderFixture it = leader();
        for (int number : new int[] {1, 2, 5, 7, 8}) {
            it.publish(number, number != 5);
        }
        it.core.advance();
        assertThat(it.taken()).as("only the transient one needs no disk").containsExactly("ack 5..5");
        it.fsync();
        assertThat(it.taken()).containsExactly("ack 1..2", "ack 7..8");
    }

    @Test
    void acksOfATransactionWaitForEveryDisk() {
        LeaderFixture it = leader(2);
        it.hello(2, 1, MessageId.ZERO);
        it.publish(1, false);
        it.answer(2, 1, 1, 0, 0, 0);
        it.taken();
        it.settle(2, IdRuns.range(5, 1, 1));
        it.answer(2, 1, 2, 1, 0, 0);
        it.fsync();
        assertThat(it.taken()).doesNotContain("ack 2..2");
        it.answer(2, 1, 2, 2, 0, 0);
        assertThat(it.taken()).containsExactly("ack 2..2");
        assertThat(it.state.queue().live().count()).isZero();
        it.settle(3, IdRuns.range(5, 1, 1));
        it.core.advance();
        assertThat(it.taken()).as("gone already").containsExactly("ack 3..3");
    }

    @Test
    void acksOfWhatTheLeaderNeverSawAreRefused() {
        LeaderFixture it = leader();
        it.publish(1, false);
        it.fsync();
        it.taken();
        it.settle(2, IdRuns.range(4, 7, 7));
        assertThat(it.taken()).containsExactly("nack 2..2");
        it.settle(3, IdRuns.EMPTY);
        it.core.advance();
        assertThat(it.taken()).containsExactly("ack 3..3");
    }

    @Test
    void withTooFewInSyncPublishesAreRefused() {
        LeaderFixture it = new LeaderFixture(LeaderFixture.settings(2, 1000), Rules.ALL);
        it.publish(1, true);
        it.fsync();
        assertThat(it.taken()).containsExactly("nack 1..1");
    }

    @Test
    void aPublishOutsideItsSessionIsNotTaken() {
        LeaderFixture it = leader();
        Message message = new Message("x", "q", new byte[2], new byte[1], true);
        it.core.received(new OriginMessage.Publish(LeaderFixture.CHANNEL, 5, 2, 1, 1, 0, message));
        it.core.received(new OriginMessage.Publish(LeaderFixture.CHANNEL, 4, 1, 1, 1, 0, message));
        it.core.refusePublishes(true);
        it.publish(1, true);
        assertThat(it.taken()).containsExactly("not leader 2", "not leader 1", "not leader 1");
        assertThat(it.state.end()).isEqualTo(MessageId.ZERO);
    }

    @Test
    void aRefusalEndsTheSession() {
        LeaderFixture it = leader();
        it.core.refusePublishes(true);
        it.publish(1, true);
        it.core.refusePublishes(false);
        it.publish(2, true);
        assertThat(it.taken()).as("else 1 would come behind 2").containsExactly("not leader 1", "not leader 1");
        assertThat(it.state.end()).isEqualTo(MessageId.ZERO);
    }

    @Test
    void whatWasSentBeforeIsNewIfNobodyCanHaveDeliveredIt() {
        LeaderFixture it = leader();
        Message message = new Message("x", "q", new byte[2], new byte[1], true);
        it.core.received(new OriginMessage.Publish(LeaderFixture.CHANNEL, 5, 1, 1, 1, 5, message));
        it.core.received(new OriginMessage.Publish(LeaderFixture.CHANNEL, 5, 1, 2, 1, 4, message));
        assertThat(it.state.queue().live().get(new MessageId(5, 1)).isRedelivered())
                .isFalse();
        assertThat(it.state.queue().live().get(new MessageId(5, 2)).isRedelivered())
                .as("the leader of epoch 4 may have delivered and lost it")
                .isTrue();
    }

    @Test
    void aChannelThatClosesIsForgottenAndAnswered() {
        LeaderFixture it = leader();
        it.publish(1, true);
        it.core.received(new OriginMessage.Close(LeaderFixture.CHANNEL, 5, 1, 2));
        it.fsync();
        assertThat(it.taken()).containsExactlyInAnyOrder("ack 1..1", "ack 2..2");
        it.publish(3, true);
        assertThat(it.taken()).as("its session is over").containsExactly("not leader 1");
        it.core.received(new OriginMessage.Open(LeaderFixture.CHANNEL, 5, 2));
        it.core.received(new OriginMessage.Close(LeaderFixture.CHANNEL, 5, 2, 2));
        it.fsync();
        assertThat(it.taken()).as("an end that is told again is answered again").containsExactly("ack 2..2");
    }

    @Test
    void aMirrorIsLateWhenItsOldestEventIsUnansweredAndNotWhenItIsSilent() {
        LeaderFixture it = leader(2);
        it.hello(2, 1, MessageId.ZERO);
        it.publish(1, false);
        it.core.tick(0);
        it.answer(2, 1, 1, 1, 0, 0);
        it.fsync();
        it.taken();
        for (long now = 100; now < 20 * LeaderFixture.DEADLINE; now += 100) {
            it.core.tick(now);
        }
        assertThat(it.taken()).as("silence is no fault").isEmpty();
        it.publish(2, false);
        long start = 20 * LeaderFixture.DEADLINE;
        for (long now = start; now < start + LeaderFixture.DEADLINE; now += 100) {
            it.core.tick(now);
        }
        assertThat(it.taken()).containsExactly("2 gets 5/2");
        it.core.tick(start + 2 * LeaderFixture.DEADLINE);
        assertThat(it.taken()).contains("shrink 2");
        it.answer(2, 1, 2, 0, 0, 0);
        for (long now = start + 2 * LeaderFixture.DEADLINE; now < start + 4 * LeaderFixture.DEADLINE; now += 100) {
            it.core.tick(now);
        }
        assertThat(it.taken()).as("a disk that stands still is late, too").contains("shrink 2");
    }

    @Test
    void aMirrorThatConnectsAgainHasTheDeadlineToShowWhatItHas() {
        LeaderFixture it = leader(2);
        it.hello(2, 1, MessageId.ZERO);
        it.publish(1, true);
        it.fsync();
        it.answer(2, 1, 1, 1, 0, 0);
        long now = 0;
        for (; now < 3 * LeaderFixture.DEADLINE; now += 100) {
            it.core.tick(now);
        }
        it.taken();
        it.core.disconnected(2);
        it.hello(2, 2, new MessageId(5, 1));
        long again = now;
        for (; now < again + LeaderFixture.DEADLINE; now += 100) {
            it.core.tick(now);
        }
        assertThat(it.taken())
                .as("what it answered before the link broke is not old news")
                .isEmpty();
        it.core.disconnected(2);
        it.hello(2, 3, new MessageId(5, 1));
        it.core.tick(now);
        assertThat(it.taken()).as("also when it goes on connecting again").containsExactly("shrink 2");
    }

    @Test
    void theTailIsBoundedAndPushesBack() {
        LeaderFixture it = new LeaderFixture(LeaderFixture.settings(1, 4), Rules.ALL, 2);
        it.hello(2, 1, MessageId.ZERO);
        for (int number = 1; number <= 4; number++) {
            it.publish(number, false);
        }
        assertThat(it.taken()).contains("full");
        it.answer(2, 1, 2, 0, 0, 0);
        assertThat(it.taken()).doesNotContain("room");
        it.answer(2, 1, 3, 0, 0, 0);
        assertThat(it.taken()).contains("room");
    }

    /** Brings mirror 3 to the point where only its disk is behind. */
    private static LeaderFixture joining() {
        LeaderFixture it = leader();
        it.publish(1, true);
        it.publish(2, true);
        it.publish(3, true);
        it.fsync();
        it.hello(3, 1, MessageId.ZERO);
        it.heldNothing(3, 1, it.state.end());
        return it;
    }

    private static List<MessageCopy> copies(List<LiveMessage> wanted) {
        List<MessageCopy> copies = new ArrayList<>();
        wanted.forEach(each -> copies.add(MessageCopy.of(each, each.message())));
        return copies;
    }

    @Test
    void aMirrorJoinsWhenAllItLackedIsOnItsDisk() {
        LeaderFixture it = joining();
        MirrorSession session = it.core.sessions().iterator().next();
        assertThat(session.missingCount()).isEqualTo(3);
        assertThat(it.reads).as("one batch at a time").hasSize(1);
        assertThat(it.reads.get(0)).hasSize(2);
        it.taken();
        it.core.bodiesRead(session, copies(it.reads.get(0)));
        it.answer(3, 1, 3, 3, 2, 2);
        assertThat(it.reads).hasSize(2);
        it.core.bodiesRead(session, copies(it.reads.get(1)));
        it.answer(3, 1, 3, 3, 3, 2);
        assertThat(it.taken()).as("the last backfill is not on disk").isEmpty();
        it.answer(3, 1, 3, 3, 3, 3);
        assertThat(it.taken()).containsExactly("join 3");
        it.publish(4, false);
        it.core.advance();
        assertThat(it.taken()).as("needed from the moment of proposing").containsExactly("3 gets 5/4");
        it.answer(3, 1, 4, 3, 3, 3);
        assertThat(it.taken()).containsExactly("ack 4..4");
    }

    @Test
    void aMessageSettledMeanwhileIsNotSentAndIsWaitedForUntilThatIsCommitted() {
        LeaderFixture it = leader(2);
        it.hello(2, 1, MessageId.ZERO);
        it.publish(1, true);
        it.answer(2, 1, 1, 1, 0, 0);
        it.fsync();
        it.hello(3, 1, MessageId.ZERO);
        it.heldNothing(3, 1, it.state.end());
        MirrorSession session = it.core.sessions().stream()
                .filter(each -> each.node() == 3)
                .findFirst()
                .orElseThrow();
        it.settle(1);
        it.core.bodiesRead(session, copies(it.reads.get(0)));
        it.fsync();
        it.answer(3, 1, 2, 2, 1, 1);
        assertThat(session.missingCount()).isEqualTo(1);
        assertThat(it.taken()).doesNotContain("join 3");
        it.answer(2, 1, 2, 2, 0, 0);
        assertThat(it.taken()).contains("join 3");
    }

    @Test
    void whatWasComparedMustBeCommittedBeforeAJoin() {
        for (boolean isRuleThere : new boolean[] {true, false}) {
            Rules rules = isRuleThere ? Rules.ALL : Rules.allBut(Rule.JOIN_NEEDS_COMMITTED_COMPARISON);
            LeaderFixture it = new LeaderFixture(SETTINGS, rules, 2);
            it.hello(2, 1, MessageId.ZERO);
            it.publish(1, true);
            it.answer(2, 1, 1, 1, 0, 0);
            it.fsync();
            MessageId cut = it.state.end();
            it.hello(3, 1, MessageId.ZERO);
            // Message 1 is gone when it is compared; if that is undone by another leader, mirror 3 would lack it.
            it.settle(1);
            it.fsync();
            it.heldNothing(3, 1, cut);
            it.answer(3, 1, 2, 2, 1, 1);
            assertThat(it.taken().contains("join 3")).isEqualTo(!isRuleThere);
        }
    }

    @Test
    void aLowerNumberIsConfirmedWhenItIsHereAndRefusedWhenItIsNot() {
        LeaderFixture it = leader(2);
        it.hello(2, 1, MessageId.ZERO);
        it.publish(3, false);
        it.publish(5, false);
        it.taken();
        it.publish(4, false);
        assertThat(it.taken()).as("taking it would invert the order").containsExactly("nack 4..4");
        it.publish(3, false);
        assertThat(it.taken())
                .as("a copy waits for the commit of all that is here")
                .isEmpty();
        it.answer(2, 1, 1, 0, 0, 0);
        assertThat(it.taken()).containsExactly("ack 3..3");
        it.answer(2, 1, 2, 0, 0, 0);
        assertThat(it.taken()).containsExactly("ack 5..5", "ack 3..3");
        assertThat(it.state.queue().live().count()).isEqualTo(2);
    }

    @Test
    void aSecondSessionReplacesTheFirstAndOldAnswersAreVoid() {
        LeaderFixture it = leader(2);
        it.hello(2, 2, MessageId.ZERO);
        it.hello(2, 1, MessageId.ZERO);
        it.publish(1, false);
        it.taken();
        it.answer(2, 1, 1, 1, 0, 0);
        assertThat(it.taken()).isEmpty();
        it.answer(2, 2, 1, 1, 0, 0);
        assertThat(it.taken()).containsExactly("ack 1..1");
    }

    private static LeaderFixture afterHandOver(boolean isSyncWanted) {
        Message message = new Message("x", "q", new byte[2], new byte[10], true);
        return new LeaderFixture(
                LeaderFixture.manualSync(),
                Rules.ALL,
                List.of(
                        new ReplicaRecord.Queued(
                                new MessageId(4, 1),
                                new QueueEvent.Published(message, new Origin(9, 1, 1, 1), 1, false)),
                        new ReplicaRecord.HandOver(new MessageId(4, 2), true, 4, isSyncWanted, new RunSet())),
                2);
    }

    @Test
    void aSynchronisationThatWasAskedForGoesOnUnderTheNextLeader() {
        LeaderFixture it = afterHandOver(true);
        it.core.tick(1);
        it.hello(3, 1, MessageId.ZERO);
        it.heldNothing(3, 1, new MessageId(5, 0));
        assertThat(it.reads).hasSize(1);
    }

    @Test
    void aSynchronisationThatNobodyAskedForDoesNotBeginWithTheNextLeader() {
        LeaderFixture it = afterHandOver(false);
        it.hello(3, 1, MessageId.ZERO);
        it.heldNothing(3, 1, new MessageId(5, 0));
        assertThat(it.reads).isEmpty();
    }
}
