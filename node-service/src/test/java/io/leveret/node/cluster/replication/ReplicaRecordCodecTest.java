package io.leveret.node.cluster.replication;

import static org.assertj.core.api.Assertions.assertThat;

import io.leveret.node.broker.message.Message;
import io.leveret.node.broker.message.MessageId;
import io.leveret.node.broker.message.Origin;
import io.leveret.node.broker.queue.CodecException;
import io.leveret.node.broker.queue.IdRuns;
import io.leveret.node.broker.queue.LiveMessage;
import io.leveret.node.broker.queue.QueueEvent;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ReplicaRecordCodecTest {
    private static final Origin ORIGIN = new Origin(2, 3, 4, 5);
    private static final MessageId ID = new MessageId(1, 9);

    private static Message message(boolean isPersistent) {
        return new Message("x", "key", new byte[] {0, 1}, new byte[] {7, 8, 9}, isPersistent).withOrigin(ORIGIN);
    }

    private static List<ReplicaRecord> records() {
        Dedupe dedupe = new Dedupe();
        dedupe.accept(ORIGIN, 1, 9);
        dedupe.noteResent(ORIGIN, ID);
        dedupe.freeze(4);
        Ends ends = new Ends();
        ends.set(1, 9);
        ends.set(3, 2);
        RunSet runs = RunSet.range(new MessageId(1, 2), new MessageId(2, 3));
        MessageCopy copy = new MessageCopy(new MessageId(1, 4), message(true), ORIGIN, true, 3, 1234);
        return List.of(
                new ReplicaRecord.Queued(ID, new QueueEvent.Published(message(true), ORIGIN, 5, true)),
                new ReplicaRecord.Queued(ID, new QueueEvent.Settled(IdRuns.range(1, 2, 5), QueueEvent.Reason.ACKED)),
                new ReplicaRecord.Purged(ID, new QueueEvent.Purged(IdRuns.range(1, 2, 5)), runs),
                new ReplicaRecord.Merged(ID, copy),
                new ReplicaRecord.Learned(ID, runs),
                new ReplicaRecord.Twins(ID, runs),
                new ReplicaRecord.HandOver(ID, true, 3, true, runs),
                new ReplicaRecord.HandOver(ID, false, 4, false, new RunSet()),
                new ReplicaRecord.Freeze(ID, 4),
                new ReplicaRecord.Thaw(ID),
                new ReplicaRecord.Resent(ID, ORIGIN, new MessageId(1, 3)),
                new ReplicaRecord.ChannelClosed(ID, new ChannelKey(2, 3, 4), true),
                new ReplicaRecord.Truncated(ID),
                new ReplicaRecord.CutBegun(ID, ends, dedupe),
                new ReplicaRecord.Cut(MessageId.ZERO, ID, runs, RunSet.of(ID)),
                new ReplicaRecord.Backfilled(copy),
                new ReplicaRecord.Passed(List.of(new ReplicaRecord.Passed.Publish(ORIGIN, ID, true))),
                new ReplicaRecord.LettersSettled(ID, 7, new MessageId(1, 3), runs));
    }

    /** The golden file was written down once: a change of it is a change of the format on disk and between nodes. */
    @Test
    void everyRecordIsEncodedAsWrittenDown() {
        StringBuilder actual = new StringBuilder();
        for (ReplicaRecord each : records()) {
            actual.append(HexFormat.of().formatHex(ReplicaRecordCodec.encode(each)))
                    .append('\n');
        }
        assertThat(actual.toString().lines().toList()).isEqualTo(Golden.lines("replica-records.txt"));
    }

    @Test
    void decodingAndEncodingGivesTheSameBytes() {
        for (ReplicaRecord each : records()) {
            byte[] bytes = ReplicaRecordCodec.encode(each);
            ReplicaRecord decoded = ReplicaRecordCodec.decode(ByteBuffer.wrap(bytes));
            assertThat(decoded).hasSameClassAs(each);
            assertThat(ReplicaRecordCodec.encode(decoded)).isEqualTo(bytes);
        }
    }

    @Test
    void theDescriptionOfAMessageIsThereWithoutItsBody() {
        for (ReplicaRecord each : records()) {
            RecordWriter out = new RecordWriter(16);
            int described = ReplicaRecordCodec.writeHead(out, each);
            MessageCopy copy = ReplicaRecordCodec.copyOf(each);
            assertThat(described > 0).isEqualTo(copy != null);
            if (copy != null) {
                LiveMessage entry =
                        ReplicaRecordCodec.entry(ByteBuffer.wrap(Arrays.copyOf(out.toByteArray(), described)));
                assertThat(entry.id()).isEqualTo(copy.id());
                assertThat(entry.bodyBytes()).isEqualTo(3);
                assertThat(entry.isPersistent()).isTrue();
                assertThat(entry.priority()).isEqualTo(copy.priority());
                assertThat(entry.expiresAtMillis()).isEqualTo(copy.expiresAtMillis());
            }
        }
    }

    @Test
    void otherBytesAreRefusedAndNothingElseHappens() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        List<byte[]> samples = new ArrayList<>();
        records().forEach(each -> samples.add(ReplicaRecordCodec.encode(each)));
        for (int round = 0; round < 50_000; round++) {
            byte[] bytes = samples.get(random.nextInt(samples.size())).clone();
            for (int change = random.nextInt(4); change >= 0; change--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
            }
            byte[] cut = Arrays.copyOf(bytes, random.nextInt(3) == 0 ? random.nextInt(bytes.length) : bytes.length);
            try {
                ReplicaRecordCodec.decode(ByteBuffer.wrap(cut));
            } catch (CodecException e) {
                continue;
            } catch (RuntimeException e) {
                throw new AssertionError("seed " + seed + ": " + HexFormat.of().formatHex(cut), e);
            }
        }
    }
}
