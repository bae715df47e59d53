package io.leveret.admin.queue;

import io.leveret.admin.cluster.BrokerCommands;
import io.leveret.admin.cluster.BrokerQueries;
import io.leveret.admin.cluster.BrokerRefusedException;
import io.leveret.admin.cluster.ControlPath;
import io.leveret.admin.cluster.QueueList;
import io.leveret.admin.safety.QueueSafety;
import io.leveret.admin.web.Frame;
import io.leveret.admin.web.NoAccessException;
import io.leveret.admin.web.Page;
import io.leveret.admin.web.Paths;
import io.leveret.admin.web.Pill;
import io.leveret.admin.web.TableList;
import io.leveret.admin.web.Words;
import io.leveret.model.control.QueueDeclaration;
import io.leveret.model.view.MessageStats;
import io.leveret.model.view.NodeView;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.servlet.mvc.support.RedirectAttributes;

/** The list of queues, with filters that carry counts. */
@Page
class QueuePages {
    private static final TableList.Columns<QueueRow> COLUMNS = new TableList.Columns<>(
            Map.of(
                    "name", byName(),
                    "leader",
                            Comparator.comparing((QueueRow row) ->
                                            String.valueOf(row.queue().leader()))
                                    .thenComparing(byName()),
                    "safety",
                            Comparator.comparing((QueueRow row) -> row.safety().verdict())
                                    .thenComparing(byName()),
                    "state",
                            Comparator.comparing((QueueRow row) -> row.state().text())
                                    .thenComparing(byName()),
                    "ready", Comparator.comparing(QueueRow::sortReady).thenComparing(byName()),
                    "unacked", Comparator.comparing(QueueRow::sortUnacked).thenComparing(byName()),
                    "in", byRate(MessageStats.Counter.PUBLISH),
                    "deliver", byRate(MessageStats.Counter.DELIVER_GET),
                    "ack", byRate(MessageStats.Counter.ACK)),
            "name",
            (row, text, parameters) -> text.test(row.name()) && passesQuick(row, parameters));

    private final BrokerQueries queries;
    private final BrokerCommands commands;
    private final QueueList queueList;
    private final Clock clock;

    QueuePages(BrokerQueries queries, BrokerCommands commands, QueueList queueList, Clock clock) {
        this.queries = queries;
        this.commands = commands;
        this.queueList = queueList;
        this.clock = clock;
    }

    /** A filter that is one click, with how many it lets through. */
    record Quick(Pill pill, String link, boolean isCurrent) {}

    @GetMapping("/queues")
    String list(@ModelAttribute("frame") Frame frame, HttpServletRequest request, Model model) {
        List<QueueRow> rows = queueList.all().stream()
                .filter(queue -> frame.shows(queue.vhost()))
                .map(queue -> new QueueRow(QueueSafety.of(queue), clock))
                .toList();
        model.addAttribute("list", TableList.of(rows, COLUMNS, request));
        model.addAttribute("quick", quick(rows, request));
        model.addAttribute(
                "nodeNames",
                queries.list(ControlPath.of("nodes"), NodeView.class).stream()
                        .filter(NodeView::isRunning)
                        .map(NodeView::name)
                        .toList());
        return "queue/list";
    }

    @PostMapping("/queues")
    String add(
            @RequestParam String in,
            @RequestParam String name,
            @RequestParam Map<String, String> fields,
            @ModelAttribute("frame") Frame frame,
            RedirectAttributes flash) {
        NoAccessException.unlessVisible(frame.user(), in);
        String node = fields.getOrDefault("node", "");
        QueueDeclaration declaration = new QueueDeclaration(
                !"false".equals(fields.get("durable")),
                "true".equals(fields.get("autoDelete")),
                Map.of(),
                node.isEmpty() ? null : node);
        try {
            boolean isNew = commands.apply(QueueMutations.declare(in, name, declaration))
                    .isCreated();
            flash.addFlashAttribute(
                    "done", isNew ? "Queue " + name + " is there." : "Queue " + name + " was there already.");
            return "redirect:" + Paths.queue(in, name);
        } catch (BrokerRefusedException refused) {
            flash.addFlashAttribute("refused", refused.error().reason());
            return "redirect:/queues";
        }
    }

    private static List<Quick> quick(List<QueueRow> rows, HttpServletRequest request) {
        List<Quick> quick = new ArrayList<>();
        String now = request.getQueryString() == null ? "" : request.getQueryString();
        quick.add(new Quick(Pill.of("", "All " + Words.number(rows.size())), "?", now.isEmpty()));
        addQuick(quick, now, rows, "bad", "Down", "safety=down");
        addQuick(quick, now, rows, "warn", "At risk", "safety=at_risk");
        addQuick(quick, now, rows, "bad", "One copy", "safety=one_copy");
        addQuick(quick, now, rows, "busy", "Syncing", "mirror=syncing");
        addQuick(quick, now, rows, "bad", "Mirror down", "mirror=down");
        Map<String, Long> leaders = new TreeMap<>();
        rows.forEach(row -> leaders.merge(String.valueOf(row.queue().leader()), 1L, Long::sum));
        leaders.forEach((node, count) -> quick.add(new Quick(
                new Pill("leader", Words.shortNode(node) + " leads " + Words.number(count), node),
                "?leader=" + Paths.encoded(node),
                now.equals("leader=" + Paths.encoded(node)))));
        return quick;
    }

    private static void addQuick(
            List<Quick> quick, String now, List<QueueRow> rows, String kind, String text, String query) {
        String[] pair = query.split("=", -1);
        long count = rows.stream()
                .filter(row -> passesQuick(row, Map.of(pair[0], pair[1])))
                .count();
        if (count > 0 || now.equals(query)) {
            quick.add(new Quick(Pill.of(kind, text + " " + Words.number(count)), "?" + query, now.equals(query)));
        }
    }

    private static boolean passesQuick(QueueRow row, Map<String, String> parameters) {
        String safety = parameters.get("safety");
        if (safety != null && !row.safety().verdict().name().equalsIgnoreCase(safety)) {
            return false;
        }
        String leader = parameters.get("leader");
        if (leader != null && !leader.equals(row.queue().leader())) {
            return false;
        }
        String mirror = parameters.get("mirror");
        if (mirror == null) {
            return true;
        }
        return mirror.equals("down")
                ? row.safety().hasMirrorDown()
                : row.safety().isSyncing();
    }

    private static Comparator<QueueRow> byName() {
        return Comparator.comparing(QueueRow::name).thenComparing(QueueRow::vhost);
    }

    private static Comparator<QueueRow> byRate(MessageStats.Counter counter) {
        return Comparator.comparing((QueueRow row) -> row.sortRate(counter)).thenComparing(byName());
    }
}
