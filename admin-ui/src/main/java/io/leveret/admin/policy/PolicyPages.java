package io.leveret.admin.policy;

import io.leveret.admin.cluster.BrokerCommands;
import io.leveret.admin.cluster.BrokerQueries;
import io.leveret.admin.cluster.BrokerRefusedException;
import io.leveret.admin.cluster.ControlPath;
import io.leveret.admin.cluster.Mutation;
import io.leveret.admin.security.SignedInUser;
import io.leveret.admin.security.Tag;
import io.leveret.admin.web.Frame;
import io.leveret.admin.web.NoAccessException;
import io.leveret.admin.web.Page;
import io.leveret.admin.web.Paths;
import io.leveret.admin.web.TableList;
import io.leveret.model.control.PolicyPreview;
import io.leveret.model.control.PolicyUsage;
import io.leveret.model.view.PolicyView;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Comparator;
import java.util.LinkedHashMap;
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

/** Admin &gt; Policies, and Admin &gt; Operator policies, which are the same with fewer keys and no preview. */
@Page
class PolicyPages {
    private static final String KINDS = "{path:policies|operator-policies}";
    private static final String POLICIES = "policies";
    private static final String VIEW = "policy/list";

    private static final TableList.Columns<PolicyRow> COLUMNS = new TableList.Columns<>(
            Map.of(
                    "name", Comparator.comparing(PolicyRow::name),
                    "priority",
                            Comparator.comparing((PolicyRow row) -> row.policy().priority())
                                    .thenComparing(Comparator.comparing(PolicyRow::name)
                                            .reversed()),
                    "matched",
                            Comparator.comparing((PolicyRow row) -> matched(row))
                                    .thenComparing(PolicyRow::name)),
            "name",
            (row, text, parameters) -> text.test(row.name())
                    || text.test(row.policy().pattern())
                    || row.policy().definition().keySet().stream().anyMatch(text));

    private final BrokerQueries queries;
    private final BrokerCommands commands;

    PolicyPages(BrokerQueries queries, BrokerCommands commands) {
        this.queries = queries;
        this.commands = commands;
    }

    @GetMapping("/" + KINDS)
    String list(
            @PathVariable String path,
            @RequestParam(defaultValue = "") String in,
            @RequestParam(defaultValue = "") String edit,
            @ModelAttribute("frame") Frame frame,
            HttpServletRequest request,
            Model model) {
        PolicyForm form = PolicyForm.empty(frame.vhost().isEmpty() ? "/" : frame.vhost());
        if (!edit.isEmpty()) {
            NoAccessException.unlessVisible(frame.user(), in);
            form = PolicyForm.of(queries.get(ControlPath.of(path, in, edit), PolicyView.class));
        }
        return page(new Shown(path, form, preview(path, form)), frame, request, model);
    }

    @PostMapping("/" + KINDS)
    String change(
            @PathVariable String path,
            @ModelAttribute("frame") Frame frame,
            HttpServletRequest request,
            Model model,
            RedirectAttributes flash) {
        Map<String, String> fields = new LinkedHashMap<>();
        request.getParameterMap().forEach((name, values) -> fields.put(name, values[0]));
        PolicyForm form = PolicyForm.of(fields);
        unlessAllowed(path, frame.user(), form.vhost());
        if (fields.containsKey("delete")) {
            return delete(path, form.vhost(), fields.getOrDefault("delete", ""), flash);
        }
        if (fields.containsKey("add")) {
            form = form.add(fields.getOrDefault("add", ""));
        } else if (fields.containsKey("remove")) {
            form = form.remove(
                    Integer.parseInt("0" + fields.getOrDefault("remove", "").replaceAll("[^0-9]", "")));
        }
        String wanted = fields.getOrDefault("do", "");
        if (!wanted.equals("save") && !wanted.equals("confirm")) {
            return page(new Shown(path, form, preview(path, form)), frame, request, model);
        }
        return save(path, form, wanted.equals("confirm"), frame, request, model, flash);
    }

    @SuppressWarnings("ParameterNumber") // what Spring gives to one request
    private String save(
            String path,
            PolicyForm given,
            boolean isConfirmed,
            Frame frame,
            HttpServletRequest request,
            Model model,
            RedirectAttributes flash) {
        PolicyForm form = given.checked(!path.equals(POLICIES));
        if (form.isFaulty()) {
            return page(
                    new Shown(path, form, Preview.note("Correct the form to see what it would do.")),
                    frame,
                    request,
                    model);
        }
        Preview preview = preview(path, form);
        if (preview.isFelt() && !isConfirmed) {
            model.addAttribute("confirm", preview.confirmation());
            return page(new Shown(path, form, preview), frame, request, model);
        }
        try {
            ControlPath target = ControlPath.of(path, form.vhost(), form.name());
            commands.apply(Mutation.put(kind(path), form.vhost(), form.name(), target, form.body()));
        } catch (BrokerRefusedException refused) {
            return page(new Shown(path, form.refused(refused), preview), frame, request, model);
        }
        flash.addFlashAttribute("done", "Policy " + form.name() + " in " + form.vhost() + " is saved.");
        flash.addFlashAttribute("doneLink", Paths.history(kind(path), form.vhost(), form.name()));
        return "redirect:/" + path;
    }

    private String delete(String path, String vhost, String name, RedirectAttributes flash) {
        try {
            commands.apply(Mutation.delete(kind(path), vhost, name, ControlPath.of(path, vhost, name)));
            flash.addFlashAttribute("done", "Policy " + name + " in " + vhost + " is deleted.");
            flash.addFlashAttribute("doneLink", Paths.history(kind(path), vhost, name));
        } catch (BrokerRefusedException refused) {
            flash.addFlashAttribute("refused", refused.error().reason());
        }
        return "redirect:/" + path;
    }

    /** What the page shows besides the list. */
    private record Shown(String path, PolicyForm form, Preview preview) {}

    private String page(Shown shown, Frame frame, HttpServletRequest request, Model model) {
        boolean isOperator = !shown.path().equals(POLICIES);
        List<PolicyUsage> usage = isOperator ? List.of() : usage();
        List<PolicyRow> rows = queries.list(ControlPath.of(shown.path()), PolicyView.class).stream()
                .filter(policy -> frame.shows(policy.vhost()))
                .map(policy -> new PolicyRow(policy, usageOf(policy, usage), shown.path()))
                .toList();
        model.addAttribute("path", shown.path());
        model.addAttribute("isOperator", isOperator);
        model.addAttribute("list", TableList.of(rows, COLUMNS, request));
        model.addAttribute("form", shown.form());
        model.addAttribute("preview", shown.preview());
        model.addAttribute("groups", PolicyHints.groups(isOperator));
        model.addAttribute("keys", PolicyHints.keys(isOperator));
        model.addAttribute("types", DefinitionRow.Type.values());
        model.addAttribute("mayChange", frame.user().has(isOperator ? Tag.ADMINISTRATOR : Tag.POLICYMAKER));
        return VIEW;
    }

    private Preview preview(String path, PolicyForm form) {
        if (!path.equals(POLICIES)) {
            return Preview.note("An operator policy caps what policies and queues ask for; it moves nothing.");
        }
        if (form.isUntouched()) {
            return Preview.note("Fill in the form to see what it would do.");
        }
        if (form.checked(false).isFaulty()) {
            return Preview.note(
                    "Not complete yet: " + form.checked(false).faults().get(0).sentence());
        }
        Map<String, Object> question = new LinkedHashMap<>(form.body());
        question.put("vhost", form.vhost());
        question.put("name", form.name());
        try {
            return Preview.of(
                    queries.ask(ControlPath.of(POLICIES, "preview"), question, PolicyPreview.class), form.name());
        } catch (BrokerRefusedException refused) {
            return Preview.note(refused.error().reason());
        }
    }

    private List<PolicyUsage> usage() {
        try {
            return queries.list(ControlPath.of(POLICIES, "usage"), PolicyUsage.class);
        } catch (BrokerRefusedException older) {
            return List.of();
        }
    }

    private static @Nullable PolicyUsage usageOf(PolicyView policy, List<PolicyUsage> usage) {
        return usage.stream()
                .filter(one -> one.vhost().equals(policy.vhost()) && one.name().equals(policy.name()))
                .findFirst()
                .orElse(null);
    }

    private static int matched(PolicyRow row) {
        PolicyUsage usage = row.usage();
        return usage == null ? 0 : usage.matched();
    }

    private static void unlessAllowed(String path, SignedInUser user, String vhost) {
        if (path.equals(POLICIES)) {
            NoAccessException.unlessPolicies(user, vhost);
        } else {
            NoAccessException.unless(user, Tag.ADMINISTRATOR);
        }
    }

    private static String kind(String path) {
        return path.equals(POLICIES) ? "policy" : "operator policy";
    }
}
