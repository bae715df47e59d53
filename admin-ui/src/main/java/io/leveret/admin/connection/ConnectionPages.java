package io.leveret.admin.connection;

import io.leveret.admin.cluster.BrokerCommands;
import io.leveret.admin.cluster.BrokerQueries;
import io.leveret.admin.cluster.BrokerRefusedException;
import io.leveret.admin.cluster.ControlPath;
import io.leveret.admin.security.Tag;
import io.leveret.admin.web.Frame;
import io.leveret.admin.web.NoAccessException;
import io.leveret.admin.web.Page;
import io.leveret.admin.web.TableList;
import io.leveret.model.view.ChannelView;
import io.leveret.model.view.ConnectionView;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Clock;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.servlet.mvc.support.RedirectAttributes;

/** The lists of connections and channels. */
@Page
class ConnectionPages {
    private static final TableList.Columns<ConnectionRow> CONNECTIONS = new TableList.Columns<>(
            Map.of(
                    "name", Comparator.comparing(ConnectionRow::name),
                    "user",
                            Comparator.comparing((ConnectionRow row) ->
                                            row.connection().user())
                                    .thenComparing(ConnectionRow::name),
                    "node",
                            Comparator.comparing((ConnectionRow row) ->
                                            row.connection().node())
                                    .thenComparing(ConnectionRow::name),
                    "state",
                            Comparator.comparing((ConnectionRow row) ->
                                            row.connection().state())
                                    .thenComparing(ConnectionRow::name)),
            "name",
            (row, text, parameters) -> text.test(row.name())
                    || text.test(row.label())
                    || text.test(row.connection().user()));

    private static final TableList.Columns<ChannelView> CHANNELS = new TableList.Columns<>(
            Map.of(
                    "name", Comparator.comparing(ChannelView::name),
                    "unacked", Comparator.comparing(ChannelView::unacked).thenComparing(ChannelView::name),
                    "consumers", Comparator.comparing(ChannelView::consumers).thenComparing(ChannelView::name)),
            "name",
            (row, text, parameters) -> text.test(row.name()) || text.test(row.user()));

    private final BrokerQueries queries;
    private final BrokerCommands commands;
    private final Clock clock;

    ConnectionPages(BrokerQueries queries, BrokerCommands commands, Clock clock) {
        this.queries = queries;
        this.commands = commands;
        this.clock = clock;
    }

    @GetMapping("/connections")
    String connections(@ModelAttribute("frame") Frame frame, HttpServletRequest request, Model model) {
        List<ConnectionRow> rows = visible(frame).stream()
                .map(connection -> new ConnectionRow(connection, clock))
                .toList();
        model.addAttribute("list", TableList.of(rows, CONNECTIONS, request));
        return "connection/list";
    }

    @PostMapping("/connections")
    String close(
            @RequestParam String close,
            @RequestParam(defaultValue = "") String reason,
            @ModelAttribute("frame") Frame frame,
            RedirectAttributes flash) {
        ConnectionView connection = queries.get(ControlPath.of("connections", close), ConnectionView.class);
        if (!connection.user().equals(frame.user().name())) {
            NoAccessException.unless(frame.user(), Tag.ADMINISTRATOR);
        }
        String told = reason.isBlank() ? "Closed by " + frame.user().name() : reason;
        try {
            commands.apply(ConnectionMutations.close(connection, told));
            flash.addFlashAttribute("done", "Connection " + close + " is closed.");
        } catch (BrokerRefusedException refused) {
            flash.addFlashAttribute("refused", refused.error().reason());
        }
        return "redirect:/connections";
    }

    @GetMapping("/channels")
    String channels(@ModelAttribute("frame") Frame frame, HttpServletRequest request, Model model) {
        List<ChannelView> channels = queries.list(ControlPath.of("channels"), ChannelView.class).stream()
                .filter(channel -> isVisible(frame, channel.vhost(), channel.user()))
                .toList();
        model.addAttribute("list", TableList.of(channels, CHANNELS, request));
        return "connection/channels";
    }

    private List<ConnectionView> visible(Frame frame) {
        return queries.list(ControlPath.of("connections"), ConnectionView.class).stream()
                .filter(connection -> isVisible(frame, connection.vhost(), connection.user()))
                .toList();
    }

    private static boolean isVisible(Frame frame, String vhost, String user) {
        boolean isOwn = frame.user().has(Tag.MONITORING) || frame.user().name().equals(user);
        return isOwn && (frame.vhost().isEmpty() || frame.vhost().equals(vhost));
    }
}
