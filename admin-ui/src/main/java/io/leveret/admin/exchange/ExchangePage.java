package io.leveret.admin.exchange;

import io.leveret.admin.cluster.BrokerCommands;
import io.leveret.admin.cluster.BrokerQueries;
import io.leveret.admin.cluster.BrokerRefusedException;
import io.leveret.admin.cluster.CommandAnswer;
import io.leveret.admin.cluster.ControlPath;
import io.leveret.admin.cluster.Mutation;
import io.leveret.admin.web.FormPairs;
import io.leveret.admin.web.Frame;
import io.leveret.admin.web.Json;
import io.leveret.admin.web.NoAccessException;
import io.leveret.admin.web.Page;
import io.leveret.admin.web.Paths;
import io.leveret.model.control.BindingDeclaration;
import io.leveret.model.control.PublishRequest;
import io.leveret.model.view.BindingView;
import io.leveret.model.view.ExchangeView;
import java.util.LinkedHashMap;
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

    @GetMapping("/exchanges/{in}/{name}")
    String exchange(
            @PathVariable String in, @PathVariable String name, @ModelAttribute("frame") Frame frame, Model model) {
        NoAccessException.unlessVisible(frame.user(), in);
        ControlPath path = ControlPath.of("exchanges", in, name);
        ExchangeView exchange = queries.get(path, ExchangeView.class);
        model.addAttribute("row", new ExchangePages.ExchangeRow(exchange));
        model.addAttribute("one", exchange);
        model.addAttribute("incoming", exchange.incoming() == null ? List.of() : exchange.incoming());
        model.addAttribute("from", queries.list(path.plus("bindings", "source"), BindingView.class));
        model.addAttribute("to", queries.list(path.plus("bindings", "destination"), BindingView.class));
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
        return "redirect:/exchanges/" + Paths.encoded(in) + "/" + Paths.encoded(name);
    }

    private static String letter(Map<String, String> fields) {
        return "exchange".equals(fields.get("kind")) ? "e" : "q";
    }

    private void bind(String in, String name, Map<String, String> fields, RedirectAttributes flash) {
        String destination = fields.getOrDefault("destination", "");
        commands.apply(Mutation.act(
                "bind",
                new Mutation.Subject("binding", in, name + " to " + destination, null),
                "POST",
                ControlPath.of("bindings", in, "e", name, letter(fields), destination),
                new BindingDeclaration(
                        fields.getOrDefault("routing_key", ""), FormPairs.of(fields.getOrDefault("arguments", "")))));
        flash.addFlashAttribute("done", "Bound to " + destination + ".");
    }

    private void unbind(String in, String name, Map<String, String> fields, RedirectAttributes flash) {
        String destination = fields.getOrDefault("destination", "");
        ControlPath path =
                ControlPath.of("bindings", in, "e", name, letter(fields), destination, fields.getOrDefault("key", "~"));
        commands.apply(Mutation.delete("binding", in, name + " to " + destination, path));
        flash.addFlashAttribute("done", "Unbound from " + destination + ".");
    }

    private void publish(String in, String name, Map<String, String> fields, RedirectAttributes flash) {
        Map<String, Object> properties = new LinkedHashMap<>();
        properties.put("delivery_mode", "1".equals(fields.get("delivery_mode")) ? 1 : 2);
        Map<String, Object> headers = FormPairs.of(fields.getOrDefault("headers", ""));
        if (!headers.isEmpty()) {
            properties.put("headers", headers);
        }
        CommandAnswer answer = commands.apply(Mutation.act(
                "publish to",
                new Mutation.Subject("exchange", in, name, null),
                "POST",
                ControlPath.of("exchanges", in, name, "publish"),
                new PublishRequest(
                        properties,
                        fields.getOrDefault("routing_key", ""),
                        fields.getOrDefault("payload", ""),
                        fields.getOrDefault("payload_encoding", "string"))));
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
