package io.leveret.node.cluster.replication;

import static org.assertj.core.api.Assertions.assertThat;

import io.leveret.node.broker.message.Message;
import io.leveret.node.broker.message.MessageId;
import io.leveret.node.broker.message.Origin;
import io.leveret.node.broker.queue.CodecException;
import io.leveret.node.broker.queue.IdRuns;
import io.leveret.node.broker.queue.QueueEvent;
import io.leveret.node.cluster.replication.ReplicaMessage.SessionId;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ReplicaMessageCodecTest {
    private static final SessionId SESSION = new SessionId(2, 3, 4);
    private static final MessageId ID = new MessageId(1, 9);

    private static List<ReplicaMessage> messages() {
        RunSet runs = RunSet.of(ID, new MessageId(2, 1));
        Ends ends = new Ends();
        ends.set(1, 9);
        Origin origin = new Origin(2, 3, 4, 5);
        Message message = new Message("x", "key", new byte[] {0, 1}, new byte[] {7, 8, 9}, false).withOrigin(origin);
        MessageCopy copy = new MessageCopy(ID, message, origin, false, 0, Long.MAX_VALUE);
        ReplicaRecord.Event event =
                new ReplicaRecord.Queued(ID, new QueueEvent.Settled(IdRuns.range(1, 2, 5), QueueEvent.Reason.ACKED));
        return List.of(
                new ReplicaMessage.Hello(5, SESSION, ends, ID, runs),
                new ReplicaMessage.Adopt(5, SESSION, ID, MessageId.ZERO),
                new ReplicaMessage.CutBegin(5, SESSION, ID, MessageId.ZERO, ends, new Dedupe(), runs),
                new ReplicaMessage.Events(5, SESSION, ID, List.of(event, new ReplicaRecord.Thaw(new MessageId(2, 1)))),
                new ReplicaMessage.Survey(5, SESSION, ID),
                new ReplicaMessage.Held(5, SESSION, MessageId.ZERO, ID, runs, runs),
                new ReplicaMessage.Compared(5, SESSION, 1, MessageId.ZERO, ID, runs, runs),
                new ReplicaMessage.Want(5, SESSION, ID, runs),
                new ReplicaMessage.Brought(5, SESSION, runs, List.of(copy)),
                new ReplicaMessage.Backfill(5, SESSION, 2, List.of(copy, copy)),
                new ReplicaMessage.Drop(5, SESSION, 3, runs),
                new ReplicaMessage.Answer(5, SESSION, ID, MessageId.ZERO, 3, 2));
    }

    private static ReplicaMessage decode(byte[] bytes) {
        return ReplicaMessageCodec.decode(bytes, 0, bytes.length);
    }

    @Test
    void everyMessageIsEncodedAsWrittenDown() {
        List<String> actual = messages().stream()
                .map(each -> HexFormat.of().formatHex(ReplicaMessageCodec.encode(each)))
                .toList();
        assertThat(actual).isEqualTo(Golden.lines("replica-messages.txt"));
    }

    @Test
    void decodingAndEncodingGivesTheSameBytes() {
        for (ReplicaMessage each : messages()) {
            byte[] bytes = ReplicaMessageCodec.encode(each);
            assertThat(decode(bytes)).hasSameClassAs(each);
            assertThat(ReplicaMessageCodec.encode(decode(bytes))).isEqualTo(bytes);
        }
    }

    @Test
    void originMessagesComeBack() {
        ChannelKey channel = new ChannelKey(1, 2, 3);
        Message message = new Message("x", "key", new byte[] {0, 1}, new byte[] {7, 8, 9}, true);
        for (OriginMessage each : List.of(
                new OriginMessage.Open(channel, 4, 5),
                new OriginMessage.Publish(channel, 4, 5, 6, 2, 4, message),
                new OriginMessage.Settle(channel, 4, 5, 6, IdRuns.range(3, 2, 9)),
                new OriginMessage.Settle(channel, 4, 5, 6, IdRuns.EMPTY),
                new OriginMessage.Close(channel, 4, 5, 7),
                new OriginMessage.Answered(channel, 1, 6, true),
                new OriginMessage.NotLeader(channel, 4, 5),
                new OriginMessage.Open(channel, 4, 5, 8, 9),
                new OriginMessage.Publish(
                        channel, 4, 5, 6, 2, 0, message.withOrigin(Origin.ofLetter(8, new MessageId(1, 2)))),
                new OriginMessage.LettersSettled(
                        channel, 4, 5, 8, ID, RunSet.range(new MessageId(1, 2), new MessageId(2, 3))))) {
            byte[] bytes = Seams.encode(each);
            OriginMessage decoded = OriginMessageCodec.decode(ByteBuffer.wrap(bytes));
            assertThat(Seams.encode(decoded)).isEqualTo(bytes);
        }
    }

    @Test
    void otherBytesAreRefusedAndNothingElseHappens() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        List<byte[]> samples =
                messages().stream().map(ReplicaMessageCodec::encode).toList();
        for (int round = 0; round < 50_000; round++) {
            byte[] bytes = samples.get(random.nextInt(samples.size())).clone();
            for (int change = random.nextInt(4); change >= 0; change--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
            }
            byte[] cut = Arrays.copyOf(bytes, random.nextInt(3) == 0 ? random.nextInt(bytes.length) : bytes.length);
            try {
                decode(cut);
            } catch (CodecException e) {
                continue;
            } catch (RuntimeException e) {
                throw new AssertionError("seed " + seed + ": " + HexFormat.of().formatHex(cut), e);
            }
        }
    }
}
