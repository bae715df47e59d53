package io.leveret.admin.overview;

import io.leveret.admin.cluster.BrokerQueries;
import io.leveret.admin.cluster.ControlPath;
import io.leveret.admin.cluster.QueueList;
import io.leveret.admin.history.History;
import io.leveret.admin.safety.NodeLoss;
import io.leveret.admin.safety.QueueSafety;
import io.leveret.admin.web.Alarms;
import io.leveret.admin.web.Frame;
import io.leveret.admin.web.Page;
import io.leveret.admin.web.Words;
import io.leveret.model.view.ListenerView;
import io.leveret.model.view.MessageStats;
import io.leveret.model.view.NodeView;
import io.leveret.model.view.OverviewView;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.RequestParam;

/** The first page: what is safe, how much there is, which nodes run. */
@Page
class OverviewPage {
    private static final int RISKS_SHOWN = 20;
    private static final int CHANGES_SHOWN = 6;

    private final BrokerQueries queries;
    private final History history;
    private final Charts charts;
    private final QueueList queueList;
    private final Clock clock;

    OverviewPage(BrokerQueries queries, History history, Charts charts, QueueList queueList, Clock clock) {
        this.queries = queries;
        this.history = history;
        this.charts = charts;
        this.queueList = queueList;
        this.clock = clock;
    }

    /** A figure of the totals; {@code note} stands below it. */
    record Total(String name, String figure, String note) {}

    /** A protocol and the ports where it is spoken. */
    record Port(String protocol, String where) {}

    @GetMapping("/")
    String overview(
            @RequestParam(defaultValue = "10 minutes") String span, @ModelAttribute("frame") Frame frame, Model model) {
        OverviewView overview = queries.get(ControlPath.of("overview"), OverviewView.class);
        List<NodeView> nodes = queries.list(ControlPath.of("nodes"), NodeView.class);
        List<QueueSafety> queues = queueList.all().stream()
                .filter(queue -> frame.shows(queue.vhost()))
                .map(QueueSafety::of)
                .toList();
        List<NodeLoss> losses = nodes.stream()
                .filter(NodeView::isRunning)
                .filter(node -> !"witness".equals(node.role()))
                .map(node -> NodeLoss.of(node.name(), queues, nodes))
                .toList();
        List<QueueSafety> unsafe = queues.stream()
                .filter(queue -> queue.verdict() != QueueSafety.Verdict.SAFE)
                .sorted(Comparator.comparing(QueueSafety::verdict)
                        .thenComparing(queue -> queue.queue().name()))
                .toList();
        model.addAttribute("alarms", Alarms.of(nodes));
        model.addAttribute("losses", losses.stream().map(LossRow::new).toList());
        model.addAttribute("summary", summary(unsafe));
        model.addAttribute("summaryKind", unsafe.isEmpty() ? "ok" : "warn");
        model.addAttribute(
                "risks",
                unsafe.stream()
                        .limit(RISKS_SHOWN)
                        .map(queue -> RiskRow.of(queue, nodes, clock))
                        .toList());
        model.addAttribute("riskNote", riskNote(unsafe.size(), queues.size()));
        model.addAttribute("nodes", nodes.stream().map(NodeRow::new).toList());
        model.addAttribute(
                "nodeNames",
                nodes.stream().map(node -> Words.shortNode(node.name())).toList());
        model.addAttribute("totals", totals(overview, queues));
        model.addAttribute("ports", ports(overview.listeners()));
        model.addAttribute("changes", frame.isAdministrator() ? history.newest(CHANGES_SHOWN) : List.of());
        model.addAttribute("span", span);
        model.addAttribute("spans", Charts.SPANS.keySet());
        model.addAttribute("charts", charts.of(span));
        return "overview/page";
    }

    private static String summary(List<QueueSafety> unsafe) {
        if (unsafe.isEmpty()) {
            return "Every queue survives the loss of any one node";
        }
        Map<QueueSafety.Verdict, Long> counts = unsafe.stream()
                .collect(Collectors.groupingBy(QueueSafety::verdict, TreeMap::new, Collectors.counting()));
        List<String> parts = new ArrayList<>();
        counts.forEach((verdict, count) -> parts.add(Words.count(count, "queue")
                + switch (verdict) {
                    case DOWN -> " down";
                    case AT_RISK -> " at risk";
                    case ONE_COPY, SAFE -> count == 1 ? " has one copy" : " have one copy";
                }));
        return String.join(", ", parts);
    }

    private static String riskNote(int unsafe, int all) {
        String shown = unsafe > RISKS_SHOWN ? ", " + RISKS_SHOWN + " of " + unsafe : "";
        int safe = all - unsafe;
        String others = safe == 1 ? "The other one survives" : "The other " + Words.number(safe) + " survive";
        return "The queues that are not safe, worst first" + shown + ". " + others + " the loss of any one node.";
    }

    private static List<Total> totals(OverviewView overview, List<QueueSafety> queues) {
        OverviewView.ObjectTotals objects = overview.objectTotals();
        MessageStats stats = overview.messageStats();
        long mirrored =
                queues.stream().filter(queue -> queue.replicas().size() > 1).count();
        return List.of(
                new Total("Ready", Words.number(overview.queueTotals().ready()), ""),
                new Total("Unacked", Words.number(overview.queueTotals().unacked()), ""),
                new Total("Published", rate(stats, MessageStats.Counter.PUBLISH), "per second"),
                new Total("Delivered", rate(stats, MessageStats.Counter.DELIVER_GET), "per second"),
                new Total("Connections", Words.number(objects.connections()), ""),
                new Total("Channels", Words.number(objects.channels()), ""),
                new Total("Exchanges", Words.number(objects.exchanges()), ""),
                new Total("Queues", Words.number(objects.queues()), Words.number(mirrored) + " mirrored"),
                new Total("Consumers", Words.number(objects.consumers()), ""));
    }

    private static String rate(MessageStats stats, MessageStats.Counter counter) {
        return Words.rate(stats.perSecond(counter));
    }

    private static List<Port> ports(List<ListenerView> listeners) {
        Map<String, TreeSet<Integer>> byProtocol = new TreeMap<>();
        listeners.forEach(listener -> byProtocol
                .computeIfAbsent(listener.protocol(), protocol -> new TreeSet<>())
                .add(listener.port()));
        return byProtocol.entrySet().stream()
                .map(entry -> new Port(
                        entry.getKey(),
                        entry.getValue().stream().map(String::valueOf).collect(Collectors.joining(", "))))
                .toList();
    }
}
