package io.leveret.admin.connection;

import io.leveret.admin.cluster.BrokerQueries;
import io.leveret.admin.cluster.ControlPath;
import io.leveret.admin.security.Tag;
import io.leveret.admin.web.Frame;
import io.leveret.admin.web.NoAccessException;
import io.leveret.admin.web.Page;
import io.leveret.admin.web.Paths;
import io.leveret.admin.web.Words;
import io.leveret.model.view.ChannelView;
import io.leveret.model.view.ConnectionView;
import io.leveret.model.view.MessageStats;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PathVariable;

/** One connection, and one channel. */
@Page
class DetailPages {
    private final BrokerQueries queries;
    private final Clock clock;

    DetailPages(BrokerQueries queries, Clock clock) {
        this.queries = queries;
        this.clock = clock;
    }

    /** An exchange that the channel published to. */
    public record PublishedRow(String exchange, String link, String messages) {
        static PublishedRow of(ChannelView.Publishing publishing) {
            ChannelView.ExchangeReference exchange = publishing.exchange();
            return new PublishedRow(
                    Words.exchange(exchange.name()),
                    Paths.exchange(exchange.vhost(), exchange.name()),
                    Words.number(publishing.stats().total(MessageStats.Counter.PUBLISH)));
        }
    }

    @GetMapping("/connections/{name}")
    String connection(@PathVariable String name, @ModelAttribute("frame") Frame frame, Model model) {
        ConnectionView connection = queries.get(ControlPath.of("connections", name), ConnectionView.class);
        unlessOwn(frame, connection.user());
        List<ChannelView> channels = queries.list(ControlPath.of("connections", name, "channels"), ChannelView.class);
        model.addAttribute("row", new ConnectionRow(connection, clock));
        model.addAttribute("one", connection);
        model.addAttribute("channels", channels);
        model.addAttribute("client", shown(connection.clientProperties()));
        return "connection/page";
    }

    @GetMapping("/channels/{name}")
    String channel(@PathVariable String name, @ModelAttribute("frame") Frame frame, Model model) {
        ChannelView channel = queries.get(ControlPath.of("channels", name), ChannelView.class);
        unlessOwn(frame, channel.user());
        model.addAttribute("one", channel);
        model.addAttribute("counts", Counted.of(channel.messageStats()));
        model.addAttribute("consumers", channel.consumerDetails() == null ? List.of() : channel.consumerDetails());
        List<ChannelView.Publishing> publishes = channel.publishes();
        model.addAttribute(
                "publishes",
                publishes == null
                        ? List.of()
                        : publishes.stream().map(PublishedRow::of).toList());
        return "connection/channel";
    }

    private static void unlessOwn(Frame frame, String user) {
        if (!frame.user().name().equals(user)) {
            NoAccessException.unless(frame.user(), Tag.MONITORING);
        }
    }

    /** What the client says of itself, its capabilities on one line. */
    private static Map<String, String> shown(Map<String, Object> properties) {
        Map<String, String> shown = new TreeMap<>();
        properties.forEach((name, value) -> {
            if (value instanceof Map<?, ?> flags) {
                List<String> set = flags.entrySet().stream()
                        .filter(flag -> Boolean.TRUE.equals(flag.getValue()))
                        .map(flag -> String.valueOf(flag.getKey()))
                        .sorted()
                        .toList();
                shown.put(name, String.join(", ", set));
            } else {
                shown.put(name, String.valueOf(value));
            }
        });
        return shown;
    }
}
