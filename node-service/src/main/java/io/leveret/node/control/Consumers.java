package io.leveret.node.control;

import io.leveret.model.QueueName;
import io.leveret.model.view.ConsumerView;
import io.leveret.node.metrics.ConsumerReport;
import io.leveret.node.metrics.NodeReport;
import io.leveret.node.metrics.QueueReport;
import java.util.ArrayList;
import java.util.List;

/** Consumers as the API shows them: what their channels know, and whether their queues serve them now. */
final class Consumers {
    private Consumers() {}

    static List<ConsumerView> of(List<NodeReport> reports, QueueViews queues) {
        List<ConsumerView> views = new ArrayList<>();
        for (NodeReport node : reports) {
            if (node.consumers() != null) {
                node.consumers().forEach(consumer -> views.add(view(consumer, queues)));
            }
        }
        return views;
    }

    private static ConsumerView view(ConsumerReport consumer, QueueViews queues) {
        ConsumerView view = consumer.view();
        QueueName name = QueueName.of(view.queue().vhost(), view.queue().name());
        QueueReport queue = queues.report(name);
        boolean isSingle = queues.isSingleActive(name);
        // A queue that serves nobody yet, or did not answer, is given the benefit of the doubt.
        boolean isActive = queue == null
                || queue.activeConsumers().isEmpty()
                || queue.activeConsumers().contains(consumer.consumerId());
        if (!isSingle && isActive) {
            return view;
        }
        return new ConsumerView(
                view.tag(),
                view.queue(),
                view.channel(),
                view.isAckRequired(),
                view.isExclusive(),
                isActive,
                isActive ? "single_active" : isSingle ? "waiting" : "up",
                view.prefetch(),
                view.arguments());
    }
}
