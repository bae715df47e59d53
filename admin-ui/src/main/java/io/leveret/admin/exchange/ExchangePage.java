package io.leveret.admin.exchange;

import io.leveret.admin.cluster.BindingMutations;
import io.leveret.admin.cluster.BrokerCommands;
import io.leveret.admin.cluster.BrokerQueries;
import io.leveret.admin.cluster.BrokerRefusedException;
import io.leveret.admin.cluster.CommandAnswer;
import io.leveret.admin.cluster.ControlPath;
import io.leveret.admin.web.FormMessage;
import io.leveret.admin.web.FormPairs;
import io.leveret.admin.web.Frame;
import io.leveret.admin.web.Json;
import io.leveret.admin.web.NoAccessException;
import io.leveret.admin.web.Page;
import io.leveret.admin.web.Paths;
import io.leveret.admin.web.Words;
import io.leveret.model.control.BindingDeclaration;
import io.leveret.model.control.PublishRequest;
import io.leveret.model.view.BindingView;
import io.leveret.model.view.ExchangeView;
import io.leveret.model.view.MessageStats;
import java.util.List;
import java.util.Map;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.servlet.mvc.support.RedirectAttributes;
import tools.jackson.databind.JsonNode;

/** One exchange: what comes in, where it goes, and what can be done to it. */
@Page
class ExchangePage {
    private final BrokerQueries queries;
    private final BrokerCommands commands;

    ExchangePage(BrokerQueries queries, BrokerCommands commands) {
        this.queries = queries;
        this.commands = commands;
    }

    /** One end of a binding. */
    public record BindingRow(BindingView binding, String link) {
        static BindingRow to(BindingView binding) {
            return new BindingRow(
                    binding,
                    binding.destinationType().equals(BindingView.TO_EXCHANGE)
                            ? Paths.exchange(binding.vhost(), binding.destination())
                            : Paths.queue(binding.vhost(), binding.destination()));
        }

        static BindingRow from(BindingView binding) {
            return new BindingRow(binding, Paths.exchange(binding.vhost(), binding.source()));
        }
    }

    /** A channel that publishes to it. */
    public record PublisherRow(ExchangeView.Incoming by) {
        public String link() {
            return "/channels/" + Paths.encoded(by.channel().name());
        }

        public String messages() {
            return Words.number(by.stats().total(MessageStats.Counter.PUBLISH));
        }
    }

    @GetMapping("/exchanges/{in}/{name}")
    String exchange(
            @PathVariable String in, @PathVariable String name, @ModelAttribute("frame") Frame frame, Model model) {
        return page(in, name, frame, model);
    }

    /** For names that no path can hold. */
    @GetMapping("/exchange")
    String oddExchange(
            @RequestParam("vhost") String in,
            @RequestParam String name,
            @ModelAttribute("frame") Frame frame,
            Model model) {
        return page(in, name, frame, model);
    }

    private String page(String in, String name, Frame frame, Model model) {
        NoAccessException.unlessVisible(frame.user(), in);
        ControlPath path = ExchangeMutations.path(in, name);
        ExchangeView exchange = queries.get(path, ExchangeView.class);
        model.addAttribute("row", new ExchangePages.ExchangeRow(exchange));
        model.addAttribute("one", exchange);
        List<ExchangeView.Incoming> incoming = exchange.incoming();
        model.addAttribute(
                "incoming",
                incoming == null
                        ? List.of()
                        : incoming.stream().map(PublisherRow::new).toList());
        model.addAttribute(
                "from",
                queries.list(path.plus("bindings", "source"), BindingView.class).stream()
                        .map(BindingRow::to)
                        .toList());
        model.addAttribute(
                "to",
                queries.list(path.plus("bindings", "destination"), BindingView.class).stream()
                        .map(BindingRow::from)
                        .toList());
        return "exchange/page";
    }

    @PostMapping("/exchange")
    String change(
            @RequestParam String in,
            @RequestParam String name,
            @RequestParam("do") String what,
            @RequestParam Map<String, String> fields,
            @ModelAttribute("frame") Frame frame,
            RedirectAttributes flash) {
        NoAccessException.unlessVisible(frame.user(), in);
        try {
            switch (what) {
                case "bind" -> bind(in, name, fields, flash);
                case "unbind" -> unbind(in, name, fields, flash);
                case "publish" -> publish(in, name, fields, flash);
                default -> flash.addFlashAttribute("refused", "There is no action “" + what + "”.");
            }
        } catch (BrokerRefusedException refused) {
            flash.addFlashAttribute("refused", refused.error().reason());
        }
        return "redirect:" + Paths.exchange(in, name);
    }

    private static String letter(Map<String, String> fields) {
        return "exchange".equals(fields.get("kind")) ? "e" : "q";
    }

    private void bind(String in, String name, Map<String, String> fields, RedirectAttributes flash) {
        String destination = fields.getOrDefault("destination", "");
        BindingDeclaration declaration = new BindingDeclaration(
                fields.getOrDefault("routing_key", ""), FormPairs.of(fields.getOrDefault("arguments", "")));
        commands.apply(BindingMutations.bind(in, name, letter(fields), destination, declaration));
        flash.addFlashAttribute("done", "Bound to " + destination + ".");
    }

    private void unbind(String in, String name, Map<String, String> fields, RedirectAttributes flash) {
        String destination = fields.getOrDefault("destination", "");
        commands.apply(BindingMutations.unbind(in, name, letter(fields), destination, fields.getOrDefault("key", "~")));
        flash.addFlashAttribute("done", "Unbound from " + destination + ".");
    }

    private void publish(String in, String name, Map<String, String> fields, RedirectAttributes flash) {
        PublishRequest message = FormMessage.of(fields, fields.getOrDefault("routing_key", ""));
        CommandAnswer answer = commands.apply(ExchangeMutations.publish(in, name, message));
        JsonNode outcome = Json.parse(answer.body());
        if (!outcome.path("routed").asBoolean(false)) {
            flash.addFlashAttribute("refused", "The message was routed to no queue.");
        } else if (outcome.path("confirmed").asBoolean(true)) {
            flash.addFlashAttribute("done", "Published, and confirmed by every queue that it went to.");
        } else {
            flash.addFlashAttribute("refused", "A queue did not confirm the message: it may be lost or there.");
        }
    }
}
