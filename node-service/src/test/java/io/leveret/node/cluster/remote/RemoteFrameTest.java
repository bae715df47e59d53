package io.leveret.node.cluster.remote;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leveret.node.broker.message.Message;
import io.leveret.node.broker.queue.QueueCounts;
import io.leveret.node.broker.queue.QueueStatistics;
import io.leveret.node.broker.queue.Subscriber.CancelReason;
import io.leveret.node.broker.queue.Subscription.Settlement;
import io.leveret.node.broker.queue.SubscriptionOptions;
import io.leveret.node.broker.vhost.ReplyAddress;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RemoteFrameTest {
    private static ByteBuffer rest(ByteBuffer frame, byte type, long session) {
        assertThat(frame.get()).isEqualTo(type);
        assertThat(frame.getLong()).isEqualTo(session);
        return frame;
    }

    private static String hex(ByteBuffer frame) {
        byte[] bytes = new byte[frame.remaining()];
        frame.duplicate().get(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    @Test
    void framesHaveTheseBytes() {
        assertThat(hex(RemoteFrame.settle(7, 1, 3, Settlement.REJECT)))
                .isEqualTo("02" + "0000000000000007" + "0000000000000001" + "0000000000000003" + "02");
        assertThat(hex(RemoteFrame.cancelled(7, CancelReason.LEADER_CHANGED))).isEqualTo("25000000000000000701");
        Message message = new Message("ex", "key", new byte[] {1, 2}, new byte[] {3}, true);
        assertThat(hex(RemoteFrame.deliverHead(7, 5, message, true)))
                .isEqualTo(
                        "24" + "0000000000000007" + "0000000000000005" + "03" + "00026578" + "00036b6579" + "00000002");
    }

    @Test
    void anAnswerToARequestHasTheseBytes() {
        Message message = new Message("", "key", new byte[] {1, 2}, new byte[] {3}, false);
        ReplyAddress address = new ReplyAddress(4, 5, "secret");
        ByteBuffer head = RemoteFrame.replyHead(address, message);
        assertThat(hex(head))
                .isEqualTo("0000000000000005" + "0006736563726574" + "00" + "0000" + "00036b6579" + "00000002");
        assertThat(RemoteFrame.replyAddress(4, head)).isEqualTo(address);
        assertThat(hex(RemoteFrame.replyQuestion(address))).isEqualTo("0000000000000005" + "0006736563726574");
    }

    @Test
    void aMessageArrivesAsItWasSent() {
        Message message = new Message("exch", "ключ", new byte[] {0x10, 0, 2}, "body".getBytes(UTF_8), false);
        ByteBuffer head = RemoteFrame.deliverHead(9, 4, message, true);
        ByteBuffer frame = ByteBuffer.allocate(head.remaining() + 7);
        frame.put(head).put(message.header()).put(message.body()).flip();
        ByteBuffer in = rest(frame, RemoteFrame.DELIVER, 9);
        assertThat(in.getLong()).isEqualTo(4);
        RemoteFrame.Carried carried = RemoteFrame.message(in);
        assertThat(carried.isFlagged()).isTrue();
        assertThat(carried.message()).usingRecursiveComparison().isEqualTo(message);
    }

    @Test
    void optionsKeepWhatALeaderLooksAt() {
        SubscriptionOptions options = new SubscriptionOptions(
                "conn.1", "tag", true, false, 30, true, Map.of("x-priority", 5, "x-cancel-on-ha-failover", true));
        ByteBuffer in = rest(RemoteFrame.subscribe(3, 11, 12, options, true), RemoteFrame.SUBSCRIBE, 3);
        assertThat(in.getLong()).isEqualTo(11);
        assertThat(in.getLong()).isEqualTo(12);
        RemoteFrame.Asked asked = RemoteFrame.asked(in);
        assertThat(asked.options())
                .isEqualTo(new SubscriptionOptions("conn.1", "tag", true, false, 30, true, Map.of("x-priority", 5)));
        assertThat(asked.wantsIds()).isTrue();
        assertThat(in.hasRemaining()).isFalse();
    }

    @Test
    void answersToQuestionsArriveAsTheyWereGiven() {
        QueueCounts counts = new QueueCounts(5, 6, 7);
        assertThat(new QueueQuestion.Counts().read(new QueueQuestion.Counts().write(counts)))
                .isEqualTo(counts);
        QueueStatistics statistics = new QueueStatistics(
                1,
                2,
                3,
                4,
                5,
                6,
                7,
                8,
                9,
                10,
                11,
                12,
                13,
                14,
                15,
                16,
                17,
                18L,
                true,
                List.of(new QueueStatistics.ConsumerStatistics("id", "tag", true, false, 9, true)));
        assertThat(new QueueQuestion.Statistics().read(new QueueQuestion.Statistics().write(statistics)))
                .isEqualTo(statistics);
    }

    @Test
    void brokenFramesAreRefusedAndNothingElseHappens() {
        Random random = new Random(20_261_130);
        for (int round = 0; round < 5_000; round++) {
            byte[] bytes = new byte[random.nextInt(40)];
            random.nextBytes(bytes);
            for (int reader = 0; reader < 4; reader++) {
                int which = reader;
                try {
                    read(which, ByteBuffer.wrap(bytes));
                } catch (BufferUnderflowException | IllegalArgumentException e) {
                    // What the link closes for.
                    assertThat(e).isNotNull();
                }
            }
        }
        assertThatThrownBy(() -> RemoteFrame.reason(ByteBuffer.wrap(new byte[] {9})))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private static void read(int which, ByteBuffer in) {
        switch (which) {
            case 0 -> RemoteFrame.message(in);
            case 1 -> RemoteFrame.asked(in);
            case 2 -> RemoteFrame.settlement(in);
            default -> RemoteFrame.text(in);
        }
    }
}
