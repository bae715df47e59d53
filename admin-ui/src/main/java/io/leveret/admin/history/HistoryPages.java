package io.leveret.admin.history;

import io.leveret.admin.cluster.BrokerCommands;
import io.leveret.admin.cluster.BrokerRefusedException;
import io.leveret.admin.cluster.ControlPath;
import io.leveret.admin.cluster.Mutation;
import io.leveret.admin.security.Tag;
import io.leveret.admin.web.Frame;
import io.leveret.admin.web.Json;
import io.leveret.admin.web.NoAccessException;
import io.leveret.admin.web.Page;
import java.util.List;
import java.util.Map;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.servlet.mvc.support.RedirectAttributes;

/** Admin &gt; History: the changes, what differs, and the way back for policies. */
@Page
class HistoryPages {
    private static final int SHOWN = 200;

    private final History history;
    private final Changes changes;
    private final BrokerCommands commands;

    HistoryPages(History history, Changes changes, BrokerCommands commands) {
        this.history = history;
        this.changes = changes;
        this.commands = commands;
    }

    @GetMapping("/history")
    String list(
            @RequestParam(defaultValue = "") String kind,
            @RequestParam(defaultValue = "") String vhost,
            @RequestParam(defaultValue = "") String name,
            @ModelAttribute("frame") Frame frame,
            Model model) {
        List<ChangeRow> rows = kind.isEmpty() ? history.newest(SHOWN) : history.of(kind, vhost, name, SHOWN);
        model.addAttribute(
                "rows", rows.stream().filter(row -> isVisible(row, frame)).toList());
        model.addAttribute("object", kind.isEmpty() ? "" : kind + " " + name + (vhost.isEmpty() ? "" : " in " + vhost));
        return "history/list";
    }

    /** Sets a policy back to how it was before a change. This is a change like any other, and is in the history as well. */
    @PostMapping("/history/{id}/undo")
    String undo(@PathVariable long id, @ModelAttribute("frame") Frame frame, RedirectAttributes flash) {
        ChangeRow row = changes.findById(id).map(ChangeRow::new).orElse(null);
        if (row == null || !row.mayRollBack()) {
            flash.addFlashAttribute("refused", "This change cannot be set back.");
            return "redirect:/history";
        }
        Change change = row.change();
        boolean isOperator = !change.kind().equals("policy");
        if (isOperator) {
            NoAccessException.unless(frame.user(), Tag.ADMINISTRATOR);
        } else {
            NoAccessException.unlessPolicies(frame.user(), change.vhost());
        }
        ControlPath path = ControlPath.of(isOperator ? "operator-policies" : "policies", change.vhost(), change.name());
        Map<String, Object> before = Json.object(change.before());
        try {
            commands.apply(
                    before.isEmpty()
                            ? Mutation.delete(change.kind(), change.vhost(), change.name(), path)
                            : Mutation.put(change.kind(), change.vhost(), change.name(), path, before));
            flash.addFlashAttribute(
                    "done", "Policy " + change.name() + " in " + change.vhost() + " is as it was before.");
        } catch (BrokerRefusedException refused) {
            flash.addFlashAttribute("refused", refused.error().reason());
        }
        return "redirect:" + row.objectLink();
    }

    /** Changes of users and of the whole cluster are for administrators. */
    private static boolean isVisible(ChangeRow row, Frame frame) {
        String vhost = row.change().vhost();
        return frame.isAdministrator()
                || (!vhost.isEmpty()
                        && frame.user().maySee(vhost)
                        && !row.change().kind().equals("permission"));
    }
}
