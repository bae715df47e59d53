package io.leveret.node.cluster.remote;

import io.leveret.node.broker.queue.QueueCounts;
import io.leveret.node.broker.queue.QueueLeader;
import io.leveret.node.broker.queue.QueueStatistics;
import io.leveret.node.broker.queue.QueueStatistics.ConsumerStatistics;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * A question to the leader of a queue that is asked rarely, and the layout of its answer.
 *
 * @param <T> the answer
 */
sealed interface QueueQuestion<T> {
    /** Asks it, on the queue's executor. */
    T ask(QueueLeader leader);

    /** Whoever asks it uses the queue: of one that is about to be deleted he hears when it is gone. */
    default boolean isUse() {
        return true;
    }

    byte number();

    ByteBuffer write(T answer);

    T read(ByteBuffer in);

    /** The question of this number. */
    static QueueQuestion<?> of(byte number) {
        return switch (number) {
            case 1 -> new Counts();
            case 2 -> new Purge();
            case 3 -> new Statistics();
            default -> throw new IllegalArgumentException("question " + number);
        };
    }

    /** How many messages and consumers. */
    record Counts() implements QueueQuestion<QueueCounts> {
        @Override
        public QueueCounts ask(QueueLeader leader) {
            return leader.counts();
        }

        @Override
        public byte number() {
            return 1;
        }

        @Override
        public ByteBuffer write(QueueCounts answer) {
            return ByteBuffer.allocate(20)
                    .putLong(answer.ready())
                    .putLong(answer.unacked())
                    .putInt(answer.consumers())
                    .flip();
        }

        @Override
        public QueueCounts read(ByteBuffer in) {
            return new QueueCounts(in.getLong(), in.getLong(), in.getInt());
        }
    }

    /** Removes what is ready. Asked twice it does no harm; the second answer counts less. */
    record Purge() implements QueueQuestion<Long> {
        @Override
        public Long ask(QueueLeader leader) {
            return leader.purge();
        }

        @Override
        public byte number() {
            return 2;
        }

        @Override
        public ByteBuffer write(Long answer) {
            return ByteBuffer.allocate(8).putLong(answer).flip();
        }

        @Override
        public Long read(ByteBuffer in) {
            return in.getLong();
        }
    }

    /** What listings show. */
    record Statistics() implements QueueQuestion<QueueStatistics> {
        private static final int FIGURES = 19;
        private static final long NO_TIMESTAMP = Long.MIN_VALUE;

        @Override
        public QueueStatistics ask(QueueLeader leader) {
            return leader.statistics();
        }

        @Override
        public boolean isUse() {
            return false;
        }

        @Override
        public byte number() {
            return 3;
        }

        @Override
        public ByteBuffer write(QueueStatistics answer) {
            int size = FIGURES * 8 + 4;
            for (ConsumerStatistics each : answer.consumers()) {
                size += 12
                        + 3 * (each.consumerId().length() + each.consumerTag().length());
            }
            ByteBuffer out = ByteBuffer.allocate(size);
            out.putLong(answer.ready()).putLong(answer.unacked());
            out.putLong(answer.readyBytes()).putLong(answer.unackedBytes());
            out.putLong(answer.messagesInMemory()).putLong(answer.bytesInMemory());
            out.putLong(answer.persistentMessages())
                    .putLong(answer.deadLettering())
                    .putLong(answer.persistentBytes());
            out.putLong(answer.published()).putLong(answer.delivered()).putLong(answer.deliveredNoAck());
            out.putLong(answer.got()).putLong(answer.gotNoAck());
            out.putLong(answer.acked()).putLong(answer.redelivered()).putLong(answer.idleSinceMillis());
            Long head = answer.headTimestamp();
            out.putLong(head == null ? NO_TIMESTAMP : head).putLong(answer.isServed() ? 1 : 0);
            out.putInt(answer.consumers().size());
            for (ConsumerStatistics each : answer.consumers()) {
                text(out, each.consumerId());
                text(out, each.consumerTag());
                out.put((byte) ((each.isNoAck() ? 1 : 0) | (each.isExclusive() ? 2 : 0) | (each.isActive() ? 4 : 0)));
                out.putInt(each.prefetch());
            }
            return out.flip();
        }

        @Override
        public QueueStatistics read(ByteBuffer in) {
            long[] figures = new long[FIGURES];
            for (int i = 0; i < FIGURES; i++) {
                figures[i] = in.getLong();
            }
            int count = in.getInt();
            List<ConsumerStatistics> consumers = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                String id = text(in);
                String tag = text(in);
                int flags = in.get();
                consumers.add(new ConsumerStatistics(
                        id, tag, (flags & 1) != 0, (flags & 2) != 0, in.getInt(), (flags & 4) != 0));
            }
            return new QueueStatistics(
                    figures[0],
                    figures[1],
                    figures[2],
                    figures[3],
                    figures[4],
                    figures[5],
                    figures[6],
                    figures[7],
                    figures[8],
                    figures[9],
                    figures[10],
                    figures[11],
                    figures[12],
                    figures[13],
                    figures[14],
                    figures[15],
                    figures[16],
                    figures[17] == NO_TIMESTAMP ? null : figures[17],
                    figures[18] != 0,
                    consumers);
        }

        private static void text(ByteBuffer out, String text) {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            out.putShort((short) bytes.length).put(bytes);
        }

        private static String text(ByteBuffer in) {
            int length = in.getShort() & 0xffff;
            if (length > in.remaining()) {
                throw new BufferUnderflowException();
            }
            byte[] bytes = new byte[length];
            in.get(bytes);
            return new String(bytes, StandardCharsets.UTF_8);
        }
    }
}
