package io.leveret.admin.limit;

import io.leveret.admin.cluster.BrokerQueries;
import io.leveret.admin.cluster.ControlPath;
import io.leveret.admin.cluster.QueueList;
import io.leveret.model.view.ChannelView;
import io.leveret.model.view.ConnectionView;
import io.leveret.model.view.QueueView;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Counts what limits are about, for one page. A list is asked for when a limit is about it, once. One thread. */
final class Usage {
    private final BrokerQueries queries;
    private final QueueList queueList;
    private final Map<String, Map<String, Long>> ofVhosts = new HashMap<>();
    private final Map<String, Map<String, Long>> ofUsers = new HashMap<>();
    private @Nullable List<ConnectionView> connections;

    Usage(BrokerQueries queries, QueueList queueList) {
        this.queries = queries;
        this.queueList = queueList;
    }

    long ofVhost(String vhost, String limit) {
        return ofVhosts.computeIfAbsent(
                        limit,
                        key -> key.equals("max-queues")
                                ? counted(queueList.all(), QueueView::vhost)
                                : counted(connections(), ConnectionView::vhost))
                .getOrDefault(vhost, 0L);
    }

    long ofUser(String user, String limit) {
        return ofUsers.computeIfAbsent(
                        limit,
                        key -> key.equals("max-channels")
                                ? counted(
                                        queries.list(ControlPath.of("channels"), ChannelView.class), ChannelView::user)
                                : counted(connections(), ConnectionView::user))
                .getOrDefault(user, 0L);
    }

    private List<ConnectionView> connections() {
        List<ConnectionView> known = connections;
        if (known == null) {
            known = queries.list(ControlPath.of("connections"), ConnectionView.class);
            connections = known;
        }
        return known;
    }

    private static <T> Map<String, Long> counted(List<T> objects, Function<T, String> owner) {
        return objects.stream().collect(Collectors.groupingBy(owner, Collectors.counting()));
    }
}
