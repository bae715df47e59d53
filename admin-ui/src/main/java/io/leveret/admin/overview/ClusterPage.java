package io.leveret.admin.overview;

import io.leveret.admin.cluster.BrokerCommands;
import io.leveret.admin.cluster.BrokerQueries;
import io.leveret.admin.cluster.BrokerRefusedException;
import io.leveret.admin.cluster.ClusterMutations;
import io.leveret.admin.cluster.ControlPath;
import io.leveret.admin.cluster.Mutation;
import io.leveret.admin.cluster.QueueList;
import io.leveret.admin.safety.QueueSafety;
import io.leveret.admin.security.Tag;
import io.leveret.admin.web.Alarms;
import io.leveret.admin.web.Frame;
import io.leveret.admin.web.NoAccessException;
import io.leveret.admin.web.Page;
import io.leveret.admin.web.TableList;
import io.leveret.admin.web.Words;
import io.leveret.model.view.NodeView;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Clock;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.servlet.mvc.support.RedirectAttributes;

/** Admin &gt; Cluster: every queue on every node, and what concerns all of it; and the page of one node. */
@Page
class ClusterPage {
    private static final TableList.Columns<RiskRow> COLUMNS = new TableList.Columns<>(
            Map.of(
                    "name",
                    Comparator.comparing(RiskRow::name),
                    "safety",
                    Comparator.comparing((RiskRow row) -> row.safety().verdict())
                            .thenComparing(RiskRow::name)),
            "safety",
            (row, text, parameters) -> text.test(row.name())
                    && (!parameters.containsKey("leader")
                            || parameters
                                    .get("leader")
                                    .equals(row.safety().queue().leader())));

    private final BrokerQueries queries;
    private final BrokerCommands commands;
    private final QueueList queueList;
    private final Clock clock;

    ClusterPage(BrokerQueries queries, BrokerCommands commands, QueueList queueList, Clock clock) {
        this.queries = queries;
        this.commands = commands;
        this.queueList = queueList;
        this.clock = clock;
    }

    @GetMapping("/cluster")
    String cluster(@ModelAttribute("frame") Frame frame, HttpServletRequest request, Model model) {
        NoAccessException.unless(frame.user(), Tag.MONITORING);
        List<NodeView> nodes = queries.list(ControlPath.of("nodes"), NodeView.class);
        List<RiskRow> rows = queueList.all().stream()
                .filter(queue -> frame.shows(queue.vhost()))
                .map(queue -> RiskRow.of(QueueSafety.of(queue), nodes, clock))
                .toList();
        model.addAttribute("list", TableList.of(rows, COLUMNS, request));
        model.addAttribute("nodes", nodes.stream().map(NodeRow::new).toList());
        model.addAttribute(
                "nodeNames",
                nodes.stream().map(node -> Words.shortNode(node.name())).toList());
        return "cluster/page";
    }

    @PostMapping("/cluster")
    String change(
            @RequestParam Map<String, String> fields, @ModelAttribute("frame") Frame frame, RedirectAttributes flash) {
        NoAccessException.unless(frame.user(), Tag.ADMINISTRATOR);
        try {
            switch (fields.getOrDefault("do", "")) {
                case "rebalance" -> {
                    commands.apply(ClusterMutations.rebalance());
                    flash.addFlashAttribute("done", "Leaders are being spread over the nodes; watch them move below.");
                }
                case "name" -> rename(fields.getOrDefault("name", "").strip(), flash);
                case "forget" -> forget(fields.getOrDefault("node", ""), flash);
                default -> flash.addFlashAttribute("refused", "There is no such action.");
            }
        } catch (BrokerRefusedException refused) {
            flash.addFlashAttribute("refused", refused.error().reason());
        }
        return "redirect:/cluster";
    }

    private void rename(String name, RedirectAttributes flash) {
        if (name.isEmpty()) {
            flash.addFlashAttribute("refused", "A cluster needs a name.");
            return;
        }
        commands.apply(ClusterMutations.rename(name));
        flash.addFlashAttribute("done", "The cluster is called " + name + ".");
    }

    private void forget(String node, RedirectAttributes flash) {
        commands.apply(Mutation.delete("node", "", node, ControlPath.of("nodes", node)));
        flash.addFlashAttribute("done", node + " is no longer a part of the cluster.");
    }

    @GetMapping("/nodes/{name}")
    String node(@PathVariable String name, @ModelAttribute("frame") Frame frame, Model model) {
        NoAccessException.unless(frame.user(), Tag.MONITORING);
        NodeView node = queries.get(ControlPath.of("nodes", name), NodeView.class);
        model.addAttribute("row", new NodeRow(node));
        model.addAttribute("one", node);
        model.addAttribute("alarms", Alarms.of(List.of(node)));
        model.addAttribute("detail", new NodeDetail(node));
        return "node/page";
    }
}
