package io.leveret.admin.exchange;

import io.leveret.admin.cluster.BrokerCommands;
import io.leveret.admin.cluster.BrokerQueries;
import io.leveret.admin.cluster.BrokerRefusedException;
import io.leveret.admin.cluster.ControlPath;
import io.leveret.admin.web.Frame;
import io.leveret.admin.web.NoAccessException;
import io.leveret.admin.web.Page;
import io.leveret.admin.web.Paths;
import io.leveret.admin.web.TableList;
import io.leveret.admin.web.Words;
import io.leveret.model.control.ExchangeDeclaration;
import io.leveret.model.view.ExchangeView;
import io.leveret.model.view.MessageStats;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.servlet.mvc.support.RedirectAttributes;

/** The list of exchanges. */
@Page
class ExchangePages {
    private static final TableList.Columns<ExchangeRow> COLUMNS = new TableList.Columns<>(
            Map.of(
                    "name",
                            Comparator.comparing(ExchangeRow::name)
                                    .thenComparing(row -> row.exchange().vhost()),
                    "type",
                            Comparator.comparing(
                                            (ExchangeRow row) -> row.exchange().type())
                                    .thenComparing(ExchangeRow::name)),
            "name",
            (row, text, parameters) -> text.test(row.name()));

    private final BrokerQueries queries;
    private final BrokerCommands commands;

    ExchangePages(BrokerQueries queries, BrokerCommands commands) {
        this.queries = queries;
        this.commands = commands;
    }

    /** An exchange in the list. */
    public record ExchangeRow(ExchangeView exchange) {
        public String name() {
            return exchange.name();
        }

        public String shownName() {
            return Words.exchange(exchange.name());
        }

        public String link() {
            return Paths.exchange(exchange.vhost(), exchange.name());
        }

        public String policyLink() {
            String policy = exchange.policy();
            return policy == null ? "/policies" : Paths.editPolicy("policies", exchange.vhost(), policy);
        }

        public String incomingTotal() {
            return total(MessageStats.Counter.PUBLISH_IN);
        }

        public String outgoingTotal() {
            return total(MessageStats.Counter.PUBLISH_OUT);
        }

        private String total(MessageStats.Counter counter) {
            MessageStats stats = exchange.messageStats();
            return Words.number(stats == null ? 0 : stats.total(counter));
        }

        public boolean isPredeclared() {
            return exchange.name().isEmpty() || exchange.name().startsWith("amq.");
        }

        public String incoming() {
            return rate(MessageStats.Counter.PUBLISH_IN);
        }

        public String outgoing() {
            return rate(MessageStats.Counter.PUBLISH_OUT);
        }

        private String rate(MessageStats.Counter counter) {
            MessageStats stats = exchange.messageStats();
            return stats == null ? "0" : Words.rate(stats.perSecond(counter));
        }
    }

    @GetMapping("/exchanges")
    String list(@ModelAttribute("frame") Frame frame, HttpServletRequest request, Model model) {
        List<ExchangeRow> rows = queries.list(ControlPath.of("exchanges"), ExchangeView.class).stream()
                .filter(exchange -> frame.shows(exchange.vhost()))
                .map(ExchangeRow::new)
                .toList();
        model.addAttribute("list", TableList.of(rows, COLUMNS, request));
        return "exchange/list";
    }

    @PostMapping("/exchanges")
    String change(
            @RequestParam String in,
            @RequestParam Map<String, String> fields,
            @ModelAttribute("frame") Frame frame,
            RedirectAttributes flash) {
        NoAccessException.unlessVisible(frame.user(), in);
        String delete = fields.get("delete");
        String name = delete == null ? fields.getOrDefault("name", "") : delete;
        try {
            if (delete != null) {
                commands.apply(ExchangeMutations.delete(in, name, true));
                flash.addFlashAttribute("done", "Exchange " + name + " in " + in + " is deleted.");
            } else {
                ExchangeDeclaration declaration = new ExchangeDeclaration(
                        fields.getOrDefault("type", "direct"),
                        fields.getOrDefault("durable", "true").equals("true"),
                        fields.getOrDefault("autoDelete", "false").equals("true"),
                        fields.getOrDefault("internal", "false").equals("true"),
                        Map.of());
                commands.apply(ExchangeMutations.declare(in, name, declaration));
                flash.addFlashAttribute("done", "Exchange " + name + " in " + in + " is there.");
            }
        } catch (BrokerRefusedException refused) {
            flash.addFlashAttribute("refused", refused.error().reason());
        }
        return "redirect:/exchanges";
    }
}
