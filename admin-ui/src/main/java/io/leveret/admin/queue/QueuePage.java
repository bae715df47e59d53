package io.leveret.admin.queue;

import io.leveret.admin.cluster.BindingMutations;
import io.leveret.admin.cluster.BrokerCommands;
import io.leveret.admin.cluster.BrokerQueries;
import io.leveret.admin.cluster.BrokerRefusedException;
import io.leveret.admin.cluster.CommandAnswer;
import io.leveret.admin.cluster.ControlPath;
import io.leveret.admin.safety.QueueSafety;
import io.leveret.admin.security.Tag;
import io.leveret.admin.web.FormMessage;
import io.leveret.admin.web.FormPairs;
import io.leveret.admin.web.Frame;
import io.leveret.admin.web.Json;
import io.leveret.admin.web.NoAccessException;
import io.leveret.admin.web.Page;
import io.leveret.admin.web.Paths;
import io.leveret.model.control.BindingDeclaration;
import io.leveret.model.control.FetchRequest;
import io.leveret.model.control.QueueAction;
import io.leveret.model.view.BindingView;
import io.leveret.model.view.PolicyView;
import io.leveret.model.view.QueueView;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.servlet.mvc.support.RedirectAttributes;
import tools.jackson.databind.JsonNode;

/** One queue: its copies, what applies to it, who uses it, and what can be done to it. */
@Page
class QueuePage {
    private static final int FETCH_MAX = 100;
    private static final int PAYLOAD_SHOWN = 50_000;

    private final BrokerQueries queries;
    private final BrokerCommands commands;
    private final Clock clock;

    QueuePage(BrokerQueries queries, BrokerCommands commands, Clock clock) {
        this.queries = queries;
        this.commands = commands;
        this.clock = clock;
    }

    @GetMapping("/queues/{in}/{name}")
    String queue(
            @PathVariable String in, @PathVariable String name, @ModelAttribute("frame") Frame frame, Model model) {
        return page(in, name, frame, model);
    }

    /** For names that no path can hold. */
    @GetMapping("/queue")
    String oddQueue(
            @RequestParam("vhost") String in,
            @RequestParam String name,
            @ModelAttribute("frame") Frame frame,
            Model model) {
        return page(in, name, frame, model);
    }

    /** All changes of this page come here: they name the queue in the form, whatever its name is. */
    @PostMapping("/queue")
    String change(
            @RequestParam String in,
            @RequestParam String name,
            @RequestParam("do") String what,
            @RequestParam Map<String, String> fields,
            @ModelAttribute("frame") Frame frame,
            RedirectAttributes flash) {
        NoAccessException.unlessVisible(frame.user(), in);
        String back = "redirect:" + Paths.queue(in, name);
        try {
            switch (what) {
                case "sync", "cancel_sync" -> synchronise(in, name, what, frame, flash);
                case "publish" -> publish(in, name, fields, flash);
                case "get" -> fetch(in, name, fields, flash);
                case "bind" -> bind(in, name, fields, flash);
                case "unbind" -> unbind(in, name, fields, flash);
                case "purge" -> purge(in, name, fields, flash);
                case "delete" -> back = delete(in, name, fields, flash);
                default -> flash.addFlashAttribute("refused", "There is no action “" + what + "”.");
            }
        } catch (BrokerRefusedException refused) {
            flash.addFlashAttribute("refused", refused.error().reason());
        }
        return back;
    }

    private String page(String in, String name, Frame frame, Model model) {
        NoAccessException.unlessVisible(frame.user(), in);
        QueueView queue = queries.get(QueueMutations.path(in, name), QueueView.class);
        QueueRow row = new QueueRow(QueueSafety.of(queue), clock);
        model.addAttribute("row", row);
        model.addAttribute("copies", row.copies().stream().map(CopyRow::new).toList());
        model.addAttribute(
                "effective",
                EffectivePolicy.of(
                        queue,
                        policy("policies", in, queue.policy()),
                        policy("operator-policies", in, queue.operatorPolicy())));
        model.addAttribute(
                "bindings", queries.list(QueueMutations.path(in, name).plus("bindings"), BindingView.class));
        model.addAttribute("consumers", queue.consumerDetails() == null ? List.of() : queue.consumerDetails());
        return "queue/page";
    }

    private @Nullable PolicyView policy(String path, String vhost, @Nullable String name) {
        return name == null
                ? null
                : queries.find(ControlPath.of(path, vhost, name), PolicyView.class)
                        .orElse(null);
    }

    private void synchronise(String in, String name, String what, Frame frame, RedirectAttributes flash) {
        NoAccessException.unless(frame.user(), Tag.ADMINISTRATOR);
        commands.apply(QueueMutations.act(in, name, what));
        flash.addFlashAttribute(
                "done",
                what.equals(QueueAction.SYNC) ? "Synchronisation has started." : "Synchronisation is cancelled.");
    }

    private void publish(String in, String name, Map<String, String> fields, RedirectAttributes flash) {
        CommandAnswer answer = commands.apply(QueueMutations.publish(in, name, FormMessage.of(fields, name)));
        JsonNode outcome = Json.parse(answer.body());
        if (!outcome.path("routed").asBoolean(false)) {
            flash.addFlashAttribute("refused", "The message was routed to no queue.");
        } else if (outcome.path("confirmed").asBoolean(true)) {
            flash.addFlashAttribute(
                    "done", outcome.has("confirmed") ? "Published, and confirmed by the queue." : "Published.");
        } else {
            flash.addFlashAttribute("refused", "The queue did not confirm the message: it may be lost or there.");
        }
    }

    private void fetch(String in, String name, Map<String, String> fields, RedirectAttributes flash) {
        String count = fields.getOrDefault("count", "1");
        int wanted = count.matches("[0-9]{1,6}") ? Math.min(FETCH_MAX, Integer.parseInt(count)) : 1;
        FetchRequest request = new FetchRequest(
                Math.max(1, wanted),
                fields.getOrDefault("ackmode", "ack_requeue_true"),
                fields.getOrDefault("encoding", "auto"),
                PAYLOAD_SHOWN);
        CommandAnswer answer = commands.apply(QueueMutations.fetch(in, name, request));
        List<FetchedRow> messages = FetchedRow.all(answer.body());
        flash.addFlashAttribute("messages", messages);
    }

    private void bind(String in, String name, Map<String, String> fields, RedirectAttributes flash) {
        String source = fields.getOrDefault("source", "");
        BindingDeclaration declaration = new BindingDeclaration(
                fields.getOrDefault("routing_key", ""), FormPairs.of(fields.getOrDefault("arguments", "")));
        commands.apply(BindingMutations.bind(in, source, "q", name, declaration));
        flash.addFlashAttribute("done", "Bound to " + source + ".");
    }

    private void unbind(String in, String name, Map<String, String> fields, RedirectAttributes flash) {
        String source = fields.getOrDefault("source", "");
        commands.apply(BindingMutations.unbind(in, source, "q", name, fields.getOrDefault("key", "~")));
        flash.addFlashAttribute("done", "Unbound from " + source + ".");
    }

    private void purge(String in, String name, Map<String, String> fields, RedirectAttributes flash) {
        if (!isConfirmed(name, fields, flash)) {
            return;
        }
        commands.apply(QueueMutations.purge(in, name));
        flash.addFlashAttribute("done", "The ready messages are gone; unacked ones stay.");
    }

    private String delete(String in, String name, Map<String, String> fields, RedirectAttributes flash) {
        if (!isConfirmed(name, fields, flash)) {
            return "redirect:" + Paths.queue(in, name);
        }
        commands.apply(QueueMutations.delete(in, name, false, false));
        flash.addFlashAttribute("done", "Queue " + name + " in " + in + " is deleted.");
        flash.addFlashAttribute("doneLink", Paths.history("queue", in, name));
        return "redirect:/queues";
    }

    private static boolean isConfirmed(String name, Map<String, String> fields, RedirectAttributes flash) {
        if (name.equals(fields.get("confirm"))) {
            return true;
        }
        flash.addFlashAttribute("refused", "The name that was typed is not the queue's.");
        return false;
    }
}
