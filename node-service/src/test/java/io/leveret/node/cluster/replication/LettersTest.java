package io.leveret.node.cluster.replication;

import static org.assertj.core.api.Assertions.assertThat;

import io.leveret.node.broker.message.Message;
import io.leveret.node.broker.message.MessageId;
import io.leveret.node.broker.message.Origin;
import io.leveret.node.broker.queue.IdRuns;
import io.leveret.node.broker.queue.LetterSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Dead letters at their target: known by their source, whoever leads that, until it says that they have left. */
class LettersTest {
    private static final long SOURCE = 77;
    private static final ChannelKey FIRST = new ChannelKey(9, 1, 50);
    private static final ChannelKey SECOND = new ChannelKey(3, 1, 51);

    private final LeaderFixture target = new LeaderFixture(LeaderFixture.settings(1, 1000), Rules.ALL);

    private static Message letter(long epoch, long index) {
        return new Message("x", "q", new byte[2], new byte[1], true)
                .withOrigin(Origin.ofLetter(SOURCE, new MessageId(epoch, index)));
    }

    private void open(ChannelKey channel, long session, long sourceEpoch) {
        target.core.received(new OriginMessage.Open(channel, 5, session, SOURCE, sourceEpoch));
    }

    private void send(ChannelKey channel, long session, long number, Message letter) {
        target.core.received(new OriginMessage.Publish(channel, 5, session, number, number, 0, letter));
    }

    private void settled(ChannelKey channel, long session, MessageId floor, IdRuns letters) {
        target.core.received(new OriginMessage.LettersSettled(channel, 5, session, SOURCE, floor, RunSet.of(letters)));
        target.fsync();
    }

    private long count() {
        return target.state.queue().live().count();
    }

    @Test
    void anotherLeaderOfTheSourceMakesNoDuplicate() {
        open(FIRST, 1, 4);
        send(FIRST, 1, 1, letter(4, 12));
        send(FIRST, 1, 2, letter(4, 10));
        target.fsync();
        assertThat(target.taken()).contains("ack 1..2");
        open(SECOND, 1, 6);
        send(SECOND, 1, 1, letter(4, 10));
        send(SECOND, 1, 2, letter(4, 12));
        send(SECOND, 1, 3, letter(4, 11));
        target.fsync();
        assertThat(count()).isEqualTo(3);
        assertThat(target.taken()).contains("ack 1..3");
    }

    @Test
    void aCopyIsConfirmedWhenTheFirstIsCommitted() {
        open(FIRST, 1, 4);
        send(FIRST, 1, 1, letter(4, 1));
        open(SECOND, 1, 6);
        send(SECOND, 1, 1, letter(4, 1));
        target.core.advance();
        assertThat(target.taken()).doesNotContain("ack 1..1");
        target.fsync();
        assertThat(target.taken()).contains("ack 1..1");
        assertThat(count()).isEqualTo(1);
    }

    @Test
    void aSettledLetterIsRememberedUntilItsSourceHasSettledIt() {
        open(FIRST, 1, 4);
        send(FIRST, 1, 1, letter(4, 1));
        target.settle(1);
        target.fsync();
        send(FIRST, 1, 2, letter(4, 1));
        assertThat(count()).as("consumed here, and not taken again").isZero();
        settled(FIRST, 1, MessageId.ZERO, IdRuns.of(new MessageId(4, 1)));
        assertThat(target.state.dedupe().letterSources()).isEmpty();
        assertThat(target.state.dedupe().channelCount()).isZero();
    }

    @Test
    void theFloorTakesAllThatIsOlder() {
        open(FIRST, 1, 4);
        send(FIRST, 1, 1, letter(3, 9));
        send(FIRST, 1, 2, letter(4, 1));
        send(FIRST, 1, 3, letter(4, 2));
        send(FIRST, 1, 4, letter(4, 3));
        settled(FIRST, 1, new MessageId(4, 2), IdRuns.of(new MessageId(4, 3)));
        assertThat(target.state.dedupe().held(Origin.ofLetter(SOURCE, new MessageId(4, 2))))
                .isNotNull();
        for (MessageId gone : List.of(new MessageId(3, 9), new MessageId(4, 1), new MessageId(4, 3))) {
            assertThat(target.state.dedupe().held(Origin.ofLetter(SOURCE, gone)))
                    .isNull();
        }
    }

    @Test
    void aReplacedLeaderOfTheSourceIsNotListenedTo() {
        open(FIRST, 1, 4);
        send(FIRST, 1, 1, letter(4, 1));
        open(SECOND, 1, 6);
        send(SECOND, 1, 1, letter(4, 1));
        settled(SECOND, 1, MessageId.ZERO, IdRuns.of(new MessageId(4, 1)));
        target.taken();
        send(FIRST, 1, 1, letter(4, 1));
        open(FIRST, 2, 4);
        send(FIRST, 2, 1, letter(4, 1));
        assertThat(target.taken()).containsExactly("not leader 1", "not leader 2");
        assertThat(count()).isEqualTo(1);
    }

    @Test
    void lettersOfADeletedQueueAreForgotten() {
        open(FIRST, 1, 4);
        send(FIRST, 1, 1, letter(4, 1));
        target.fsync();
        target.core.tick(0);
        assertThat(target.state.dedupe().letterSources()).containsExactly(SOURCE);
        target.deletedQueues.add(SOURCE);
        target.core.tick(0);
        target.fsync();
        assertThat(target.state.dedupe().letterSources()).isEmpty();
    }

    @Test
    void aDeletedQueueIsForgottenAlsoWhenItsLettersAreAllSettled() {
        LetterSources sources = new LetterSources(target.core, target);
        Map<ChannelKey, OriginChannel> origins = new HashMap<>();
        assertThat(sources.admit(new OriginMessage.Open(FIRST, 5, 1, SOURCE, 4), origins))
                .isTrue();
        sources.forgetDeleted();
        assertThat(sources.count()).isEqualTo(1);
        target.deletedQueues.add(SOURCE);
        sources.forgetDeleted();
        assertThat(sources.count()).isZero();
    }

    @Test
    void aFreezeKeepsLettersOfBeforeIt() {
        Dedupe dedupe = new Dedupe();
        Origin letter = Origin.ofLetter(SOURCE, new MessageId(4, 1));
        dedupe.accept(letter, 5, 1);
        dedupe.accept(Origin.ofLetter(SOURCE, new MessageId(4, 2)), 9, 1);
        dedupe.freeze(8);
        dedupe.forgetLetters(SOURCE, new MessageId(4, 3), new RunSet());
        assertThat(dedupe.held(letter)).isEqualTo(new MessageId(5, 1));
        assertThat(dedupe.held(Origin.ofLetter(SOURCE, new MessageId(4, 2)))).isNull();
        dedupe.thaw();
        dedupe.forgetLetters(SOURCE, new MessageId(4, 3), new RunSet());
        assertThat(dedupe.channelCount()).isZero();
    }

    @Test
    void anOriginOfLettersHasNoDeadlineAndDropsThemWhenItCloses() {
        List<String> log = new ArrayList<>();
        OriginCore origin = new OriginCore(FIRST, new LetterSource(SOURCE, 4), new OriginOutput() {
            @Override
            public void send(int leader, OriginMessage.ToLeader message) {
                log.add(
                        message instanceof OriginMessage.Open open
                                ? "open " + open.source() + " " + open.sourceEpoch()
                                : message.getClass().getSimpleName());
            }

            @Override
            public void answered(long number, boolean isConfirmed) {
                log.add("answered " + number);
            }

            @Override
            public void finished() {
                log.add("finished");
            }
        });
        origin.publish(1, letter(4, 1), 0);
        origin.tick(Long.MAX_VALUE / 4);
        origin.lettersSettled(MessageId.ZERO, IdRuns.of(new MessageId(4, 1)));
        assertThat(log).isEmpty();
        origin.leader(2, 5, 1);
        origin.lettersSettled(MessageId.ZERO, IdRuns.of(new MessageId(4, 1)));
        assertThat(log).containsExactly("open 77 4", "Publish", "LettersSettled");
        origin.close();
        origin.leader(3, 6, 1);
        assertThat(log.subList(3, log.size())).containsExactly("Close", "open 77 4", "Close");
        assertThat(origin.unanswered()).isZero();
        origin.received(new OriginMessage.Answered(FIRST, 1, 2, true));
        assertThat(log).endsWith("finished").doesNotContain("answered 1");
    }
}
