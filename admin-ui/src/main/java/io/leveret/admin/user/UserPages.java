package io.leveret.admin.user;

import io.leveret.admin.cluster.BrokerCommands;
import io.leveret.admin.cluster.BrokerQueries;
import io.leveret.admin.cluster.BrokerRefusedException;
import io.leveret.admin.cluster.ControlPath;
import io.leveret.admin.security.Tag;
import io.leveret.admin.web.Frame;
import io.leveret.admin.web.NoAccessException;
import io.leveret.admin.web.Page;
import io.leveret.model.control.PermissionDeclaration;
import io.leveret.model.control.TopicPermissionDeclaration;
import io.leveret.model.control.UserDeclaration;
import io.leveret.model.view.PermissionView;
import io.leveret.model.view.TopicPermissionView;
import io.leveret.model.view.UserView;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.servlet.mvc.support.RedirectAttributes;

/** Admin &gt; Users: tags, passwords, permissions per virtual host. */
@Page
class UserPages {
    private final BrokerQueries queries;
    private final BrokerCommands commands;

    UserPages(BrokerQueries queries, BrokerCommands commands) {
        this.queries = queries;
        this.commands = commands;
    }

    /** A user with his permissions. */
    public record UserRow(UserView user, List<PermissionView> permissions, List<TopicPermissionView> topics) {
        public String name() {
            return user.name();
        }

        /** Without a password nobody comes in with this name. */
        public boolean isWithoutPassword() {
            return user.passwordHash().isEmpty();
        }
    }

    @GetMapping("/users")
    String list(@ModelAttribute("frame") Frame frame, Model model) {
        NoAccessException.unless(frame.user(), Tag.ADMINISTRATOR);
        List<PermissionView> permissions = queries.list(ControlPath.of("permissions"), PermissionView.class);
        List<TopicPermissionView> topics = queries.list(ControlPath.of("topic-permissions"), TopicPermissionView.class);
        List<UserRow> rows = queries.list(ControlPath.of("users"), UserView.class).stream()
                .map(user -> new UserRow(
                        user,
                        permissions.stream()
                                .filter(one -> one.user().equals(user.name()))
                                .toList(),
                        topics.stream()
                                .filter(one -> one.user().equals(user.name()))
                                .toList()))
                .toList();
        model.addAttribute("rows", rows);
        model.addAttribute("tags", Stream.of(Tag.values()).map(Tag::word).toList());
        return "user/list";
    }

    @PostMapping("/users")
    String change(
            @RequestParam Map<String, String> fields,
            @RequestParam(name = "tag", defaultValue = "") List<String> tags,
            @ModelAttribute("frame") Frame frame,
            RedirectAttributes flash) {
        NoAccessException.unless(frame.user(), Tag.ADMINISTRATOR);
        String name = fields.getOrDefault("name", "").strip();
        try {
            switch (fields.getOrDefault("do", "")) {
                case "save" -> flash.addFlashAttribute("done", save(name, fields, tags));
                case "delete" -> {
                    commands.apply(UserMutations.delete(name));
                    flash.addFlashAttribute("done", "User " + name + " is deleted.");
                }
                case "permit" -> {
                    permit(name, fields);
                    flash.addFlashAttribute("done", "The permission of " + name + " is set.");
                }
                case "revoke" -> {
                    String in = fields.getOrDefault("in", "");
                    commands.apply(UserMutations.revoke(in, name));
                    flash.addFlashAttribute("done", "The permission of " + name + " in " + in + " is gone.");
                }
                case "permit-topic" -> {
                    permitTopic(name, fields);
                    flash.addFlashAttribute("done", "The topic permission of " + name + " is set.");
                }
                case "revoke-topic" -> {
                    String in = fields.getOrDefault("in", "");
                    commands.apply(UserMutations.revokeTopics(in, name));
                    flash.addFlashAttribute("done", "The topic permissions of " + name + " in " + in + " are gone.");
                }
                default -> flash.addFlashAttribute("refused", "There is no such action.");
            }
        } catch (BrokerRefusedException refused) {
            flash.addFlashAttribute("refused", refused.error().reason());
        }
        return "redirect:/users";
    }

    private String save(String name, Map<String, String> fields, List<String> tags) {
        String password = fields.getOrDefault("password", "");
        UserView present =
                queries.find(UserMutations.path(name), UserView.class).orElse(null);
        boolean isKept = password.isEmpty() && present != null;
        UserDeclaration declaration = new UserDeclaration(
                password.isEmpty() ? null : password,
                isKept && present != null ? present.passwordHash() : null,
                isKept && present != null ? present.hashingAlgorithm() : null,
                tags.stream().filter(tag -> !tag.isBlank()).toList());
        commands.apply(UserMutations.save(name, declaration));
        if (isKept) {
            return "User " + name + " is saved; the password stays as it was.";
        }
        return password.isEmpty()
                ? "User " + name + " is saved, without a password: nobody can log in with this name."
                : "User " + name + " is saved.";
    }

    private void permitTopic(String name, Map<String, String> fields) {
        String in = fields.getOrDefault("in", "/");
        TopicPermissionDeclaration declaration = new TopicPermissionDeclaration(
                fields.getOrDefault("exchange", ""), fields.getOrDefault("write", ""), fields.getOrDefault("read", ""));
        commands.apply(UserMutations.permitTopic(in, name, declaration));
    }

    private void permit(String name, Map<String, String> fields) {
        String in = fields.getOrDefault("in", "/");
        PermissionDeclaration declaration = new PermissionDeclaration(
                fields.getOrDefault("configure", ""),
                fields.getOrDefault("write", ""),
                fields.getOrDefault("read", ""));
        commands.apply(UserMutations.permit(in, name, declaration));
    }
}
