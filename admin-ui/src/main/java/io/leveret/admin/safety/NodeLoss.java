package io.leveret.admin.safety;

import io.leveret.model.view.NodeView;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * What the loss of one running node does to all queues.
 *
 * @param leads queues it leads
 * @param failOver of these, led on by a mirror without loss
 * @param loseMessages of these, led on by a mirror that lacks messages
 * @param away of these, unavailable until the node is back
 * @param gone of these, lost for good: transient or exclusive ones without a mirror
 * @param messagesLost messages lost where the number is known
 * @param isMajorityLost the cluster would pause
 */
public record NodeLoss(
        String node,
        int leads,
        int failOver,
        int loseMessages,
        int away,
        int gone,
        long messagesLost,
        boolean isMajorityLost) {

    public static NodeLoss of(String node, List<QueueSafety> queues, List<NodeView> nodes) {
        Map<QueueSafety.Effect, Integer> counts = new EnumMap<>(QueueSafety.Effect.class);
        long messages = 0;
        for (QueueSafety queue : queues) {
            QueueSafety.Effect effect = queue.effectOfLosing(node);
            counts.merge(effect, 1, Integer::sum);
            Long atRisk = effect == QueueSafety.Effect.LOSES_MESSAGES ? queue.messagesAtRisk() : null;
            messages += atRisk == null ? 0 : atRisk;
        }
        int failOver = counts.getOrDefault(QueueSafety.Effect.FAILS_OVER, 0);
        int lose = counts.getOrDefault(QueueSafety.Effect.LOSES_MESSAGES, 0);
        int away = counts.getOrDefault(QueueSafety.Effect.AWAY, 0);
        int gone = counts.getOrDefault(QueueSafety.Effect.GONE, 0);
        return new NodeLoss(
                node, failOver + lose + away + gone, failOver, lose, away, gone, messages, losesMajority(nodes));
    }

    /** More than half of all nodes must run; one less than now. */
    private static boolean losesMajority(List<NodeView> nodes) {
        long running = nodes.stream().filter(NodeView::isRunning).count();
        return (running - 1) * 2 <= nodes.size();
    }

    public int unavailable() {
        return away + gone;
    }

    public boolean isHarmless() {
        return loseMessages == 0 && unavailable() == 0 && !isMajorityLost;
    }
}
