package io.leveret.admin.limit;

import io.leveret.admin.cluster.BrokerCommands;
import io.leveret.admin.cluster.BrokerQueries;
import io.leveret.admin.cluster.BrokerRefusedException;
import io.leveret.admin.cluster.ControlPath;
import io.leveret.admin.cluster.LimitMutations;
import io.leveret.admin.cluster.QueueList;
import io.leveret.admin.security.Tag;
import io.leveret.admin.web.Frame;
import io.leveret.admin.web.NoAccessException;
import io.leveret.admin.web.Page;
import io.leveret.model.control.Value;
import io.leveret.model.view.UserLimitsView;
import io.leveret.model.view.UserView;
import io.leveret.model.view.VhostLimitsView;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.servlet.mvc.support.RedirectAttributes;

/** Admin &gt; Limits: of virtual hosts and of users, beside what they use now. */
@Page
class LimitPages {
    private static final String VHOST = "vhost";
    private static final String USER = "user";
    private static final List<String> OF_VHOSTS = List.of("max-connections", "max-queues");
    private static final List<String> OF_USERS = List.of("max-connections", "max-channels");

    private final BrokerQueries queries;
    private final BrokerCommands commands;
    private final QueueList queueList;

    LimitPages(BrokerQueries queries, BrokerCommands commands, QueueList queueList) {
        this.queries = queries;
        this.commands = commands;
        this.queueList = queueList;
    }

    @GetMapping("/limits")
    String limits(@ModelAttribute("frame") Frame frame, Model model) {
        NoAccessException.unless(frame.user(), Tag.ADMINISTRATOR);
        Usage usage = new Usage(queries, queueList);
        List<LimitRow> vhosts = new ArrayList<>();
        for (VhostLimitsView view : queries.list(ControlPath.of("vhost-limits"), VhostLimitsView.class)) {
            view.value()
                    .forEach((limit, value) -> vhosts.add(
                            new LimitRow(VHOST, view.vhost(), limit, value, usage.ofVhost(view.vhost(), limit))));
        }
        List<LimitRow> users = new ArrayList<>();
        for (UserLimitsView view : queries.list(ControlPath.of("user-limits"), UserLimitsView.class)) {
            view.value()
                    .forEach((limit, value) ->
                            users.add(new LimitRow(USER, view.user(), limit, value, usage.ofUser(view.user(), limit))));
        }
        model.addAttribute(
                "vhostRows",
                vhosts.stream().filter(row -> frame.shows(row.owner())).toList());
        model.addAttribute("userRows", users);
        model.addAttribute("vhostLimits", OF_VHOSTS);
        model.addAttribute("userLimits", OF_USERS);
        model.addAttribute(
                "users",
                queries.list(ControlPath.of("users"), UserView.class).stream()
                        .map(UserView::name)
                        .toList());
        return "limit/list";
    }

    @PostMapping("/limits")
    String change(
            @RequestParam Map<String, String> fields, @ModelAttribute("frame") Frame frame, RedirectAttributes flash) {
        String kind = fields.getOrDefault("kind", "");
        String owner = fields.getOrDefault("owner", "");
        String limit = fields.getOrDefault("limit", "");
        String value = fields.getOrDefault("value", "");
        String what = fields.getOrDefault("do", "");
        NoAccessException.unless(frame.user(), Tag.ADMINISTRATOR);
        boolean isVhost = kind.equals(VHOST);
        String whose = (isVhost ? "virtual host " : "user ") + owner;
        try {
            if (what.equals("clear")) {
                commands.apply(
                        isVhost ? LimitMutations.clearOfVhost(owner, limit) : LimitMutations.clearOfUser(owner, limit));
                flash.addFlashAttribute("done", "The limit " + limit + " of " + whose + " is cleared.");
            } else if (!value.matches("-1|[0-9]{1,9}")) {
                flash.addFlashAttribute(
                        "refused", limit + " is a whole number, or -1 for no limit; “" + value + "” is not.");
            } else {
                Value number = new Value(Integer.valueOf(value));
                commands.apply(
                        isVhost
                                ? LimitMutations.setOfVhost(owner, limit, number)
                                : LimitMutations.setOfUser(owner, limit, number));
                flash.addFlashAttribute("done", "The limit " + limit + " of " + whose + " is " + value + ".");
            }
        } catch (BrokerRefusedException refused) {
            flash.addFlashAttribute("refused", refused.error().reason());
        }
        return "redirect:/limits";
    }
}
