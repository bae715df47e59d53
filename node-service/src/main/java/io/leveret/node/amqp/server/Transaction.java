package io.leveret.node.amqp.server;

import io.leveret.node.broker.queue.Subscription.Settlement;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the transaction of one channel holds: publishes, and verdicts on deliveries, each in the order they came. Pure.
 *
 * <pre>
 * publish, settle ──► held ──commit──► publishes are taken, one by one; then verdicts, neighbours of one source as a run
 *                       └────rollback──► publishes are forgotten, deliveries given back to be settled another time
 * </pre>
 *
 * <p>Bound: {@link #STEPS_MAX} publishes and verdicts; their bytes are bounded with those of the connection's other
 * transactions ({@link PublishWindow#hold}).
 *
 * @param <P> a publish
 * @param <S> where a delivery came from
 */
final class Transaction<P, S> {
    /** More than a client can mean to do at once; a commit of as many takes seconds. */
    static final int STEPS_MAX = 1 << 17;

    private final ArrayDeque<P> publishes = new ArrayDeque<>();
    private final List<Verdict<S>> verdicts = new ArrayList<>();

    /** One delivery and what the client said of it. */
    private record Verdict<S>(long tag, S source, long number, Settlement settlement) {}

    /** Holds a publish. @return false when it has no room: then it does not */
    boolean publish(P publish) {
        return hasRoom() && publishes.add(publish);
    }

    /** Holds a verdict. @return false when it has no room: then it does not */
    boolean settle(long tag, S source, long number, Settlement settlement) {
        return hasRoom() && verdicts.add(new Verdict<>(tag, source, number, settlement));
    }

    private boolean hasRoom() {
        return publishes.size() + verdicts.size() < STEPS_MAX;
    }

    /** Publishes held. */
    int publishes() {
        return publishes.size();
    }

    /** Verdicts held. */
    int verdicts() {
        return verdicts.size();
    }

    /** Commit: the next publish, which is no longer held; null: there is none. */
    @Nullable
    P nextPublish() {
        return publishes.poll();
    }

    /** Commit: gives all verdicts, which stay held until {@link #done} or {@link #rollback}. */
    void forEachRun(RunVisitor<S> visitor) {
        int from = 0;
        for (int at = 1; at <= verdicts.size(); at++) {
            if (at == verdicts.size() || !isNext(verdicts.get(at - 1), verdicts.get(at))) {
                Verdict<S> first = verdicts.get(from);
                visitor.run(first.source, first.number, verdicts.get(at - 1).number, first.settlement);
                from = at;
            }
        }
    }

    private static <S> boolean isNext(Verdict<S> last, Verdict<S> next) {
        return last.source == next.source && last.number + 1 == next.number && last.settlement == next.settlement;
    }

    /** The verdicts were applied: the next transaction begins. */
    void done() {
        publishes.clear();
        verdicts.clear();
    }

    /** Forgets everything, and gives the deliveries back. */
    void rollback(Restore<S> restore) {
        for (Verdict<S> each : verdicts) {
            restore.restore(each.tag, each.source, each.number);
        }
        done();
    }

    /** Takes verdicts in the order they were given. */
    @FunctionalInterface
    interface RunVisitor<S> {
        /** On the deliveries from..to of the source, inclusive. */
        void run(S source, long from, long to, Settlement settlement);
    }

    /** Takes deliveries back. */
    @FunctionalInterface
    interface Restore<S> {
        void restore(long tag, S source, long number);
    }
}
