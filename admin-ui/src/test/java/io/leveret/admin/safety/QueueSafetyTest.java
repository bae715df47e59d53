package io.leveret.admin.safety;

import static io.leveret.admin.Samples.N1;
import static io.leveret.admin.Samples.N2;
import static io.leveret.admin.Samples.N3;
import static org.assertj.core.api.Assertions.assertThat;

import io.leveret.admin.Samples;
import io.leveret.model.view.NodeView;
import io.leveret.model.view.QueueView;
import io.leveret.model.view.ReplicaView;
import java.util.List;
import org.junit.jupiter.api.Test;

class QueueSafetyTest {
    private static final ReplicaView DOWN =
            new ReplicaView(N2, ReplicaView.MIRROR, ReplicaView.State.DOWN, false, false, null, null, 1L, null);

    @Test
    void aMirrorInSyncMakesItSafe() {
        QueueSafety safety = safety(Samples.leader(N1), Samples.inSync(N2));
        assertThat(safety.verdict()).isEqualTo(QueueSafety.Verdict.SAFE);
        assertThat(safety.effectOfLosing(N1)).isEqualTo(QueueSafety.Effect.FAILS_OVER);
        assertThat(safety.effectOfLosing(N2)).isEqualTo(QueueSafety.Effect.NOTHING);
    }

    @Test
    void aMirrorBehindCostsWhatItLacks() {
        QueueSafety safety = safety(Samples.leader(N1), Samples.syncing(N2), DOWN);
        assertThat(safety.verdict()).isEqualTo(QueueSafety.Verdict.AT_RISK);
        assertThat(safety.effectOfLosing(N1)).isEqualTo(QueueSafety.Effect.LOSES_MESSAGES);
        assertThat(safety.messagesAtRisk()).isEqualTo(580);
        assertThat(safety.hasMirrorDown()).isTrue();
    }

    @Test
    void aMirrorThatIsDownInheritsNothing() {
        QueueSafety safety = safety(Samples.leader(N1), DOWN);
        assertThat(safety.verdict()).isEqualTo(QueueSafety.Verdict.AT_RISK);
        assertThat(safety.effectOfLosing(N1)).isEqualTo(QueueSafety.Effect.AWAY);
        assertThat(Advice.of(safety)).startsWith("Start " + N2);
    }

    @Test
    void oneCopyIsAwayWithItsNodeAndATransientOneIsGone() {
        QueueSafety durable = safety(Samples.leader(N1));
        assertThat(durable.verdict()).isEqualTo(QueueSafety.Verdict.ONE_COPY);
        assertThat(durable.effectOfLosing(N1)).isEqualTo(QueueSafety.Effect.AWAY);
        QueueSafety gone = new QueueSafety(transientQueue(), durable.replicas());
        assertThat(gone.effectOfLosing(N1)).isEqualTo(QueueSafety.Effect.GONE);
    }

    @Test
    void theLossOfANodeIsTheSumOverItsQueues() {
        List<NodeView> nodes = List.of(Samples.node(N1, true), Samples.node(N2, true), Samples.node(N3, true));
        List<QueueSafety> queues =
                Samples.queues().stream().map(QueueSafety::of).toList();
        NodeLoss second = NodeLoss.of(N2, queues, nodes);
        assertThat(second.leads()).isEqualTo(1);
        assertThat(second.loseMessages()).isEqualTo(1);
        assertThat(second.messagesLost()).isEqualTo(580);
        assertThat(second.isMajorityLost()).isFalse();
        assertThat(NodeLoss.of(N1, queues, nodes).isHarmless()).isTrue();
        List<NodeView> twoOfThree = List.of(Samples.node(N1, true), Samples.node(N2, true), Samples.node(N3, false));
        assertThat(NodeLoss.of(N1, queues, twoOfThree).isMajorityLost()).isTrue();
    }

    private static QueueSafety safety(ReplicaView... replicas) {
        return QueueSafety.of(Samples.queue("q", 5, List.of(replicas), "ha"));
    }

    private static QueueView transientQueue() {
        QueueView q = Samples.queue("q", 5, List.of(Samples.leader(N1)), null);
        return new QueueView(
                q.name(),
                q.vhost(),
                q.type(),
                false,
                false,
                false,
                q.arguments(),
                q.leader(),
                q.state(),
                null,
                null,
                null,
                null,
                null,
                q.effectivePolicy(),
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                q.figures(),
                null,
                null,
                q.replication());
    }
}
