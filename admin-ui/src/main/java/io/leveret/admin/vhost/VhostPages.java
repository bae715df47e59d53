package io.leveret.admin.vhost;

import io.leveret.admin.cluster.BrokerCommands;
import io.leveret.admin.cluster.BrokerQueries;
import io.leveret.admin.cluster.BrokerRefusedException;
import io.leveret.admin.cluster.ControlPath;
import io.leveret.admin.security.Tag;
import io.leveret.admin.web.Frame;
import io.leveret.admin.web.NoAccessException;
import io.leveret.admin.web.Page;
import io.leveret.admin.web.Words;
import io.leveret.model.control.VhostDeclaration;
import io.leveret.model.view.VhostView;
import java.util.List;
import java.util.Map;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.servlet.mvc.support.RedirectAttributes;

/** Admin &gt; Virtual hosts. */
@Page
class VhostPages {
    private final BrokerQueries queries;
    private final BrokerCommands commands;

    VhostPages(BrokerQueries queries, BrokerCommands commands) {
        this.queries = queries;
        this.commands = commands;
    }

    /** A vhost in the list. */
    public record VhostRow(VhostView vhost) {
        public String name() {
            return vhost.name();
        }

        public String ready() {
            return Words.number(vhost.ready());
        }

        public String unacked() {
            return Words.number(vhost.unacked());
        }

        public String nodes() {
            long running = vhost.clusterState().values().stream()
                    .filter("running"::equals)
                    .count();
            return "runs on " + Words.count(running, "node");
        }
    }

    @GetMapping("/vhosts")
    String list(@ModelAttribute("frame") Frame frame, Model model) {
        List<VhostRow> rows = queries.list(ControlPath.of("vhosts"), VhostView.class).stream()
                .filter(vhost -> frame.user().mayList(vhost.name()))
                .map(VhostRow::new)
                .toList();
        model.addAttribute("rows", rows);
        return "vhost/list";
    }

    @PostMapping("/vhosts")
    String change(
            @RequestParam Map<String, String> fields, @ModelAttribute("frame") Frame frame, RedirectAttributes flash) {
        NoAccessException.unless(frame.user(), Tag.ADMINISTRATOR);
        String name = fields.getOrDefault("name", "");
        try {
            if ("delete".equals(fields.get("do"))) {
                if (!name.equals(fields.get("confirm"))) {
                    flash.addFlashAttribute("refused", "The name that was typed is not the virtual host's.");
                    return "redirect:/vhosts";
                }
                commands.apply(VhostMutations.delete(name));
                flash.addFlashAttribute("done", "Virtual host " + name + " is deleted, with all that was in it.");
            } else {
                commands.apply(VhostMutations.save(
                        name, new VhostDeclaration(fields.getOrDefault("description", ""), null, null)));
                flash.addFlashAttribute("done", "Virtual host " + name + " is saved.");
            }
        } catch (BrokerRefusedException refused) {
            flash.addFlashAttribute("refused", refused.error().reason());
        }
        return "redirect:/vhosts";
    }
}
