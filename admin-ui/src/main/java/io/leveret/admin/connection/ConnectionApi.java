package io.leveret.admin.connection;

import io.leveret.admin.cluster.BrokerCommands;
import io.leveret.admin.cluster.BrokerQueries;
import io.leveret.admin.cluster.BrokerRefusedException;
import io.leveret.admin.cluster.ControlPath;
import io.leveret.admin.security.SignedInUser;
import io.leveret.admin.security.Tag;
import io.leveret.admin.web.Answers;
import io.leveret.admin.web.Api;
import io.leveret.admin.web.ApiAccess;
import io.leveret.admin.web.ApiProblem;
import io.leveret.admin.web.ListQuery;
import io.leveret.admin.web.Visible;
import io.leveret.model.view.ChannelView;
import io.leveret.model.view.ConnectionView;
import io.leveret.model.view.ConsumerView;
import io.leveret.model.view.VhostView;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestHeader;

/** /api/connections, /api/channels, /api/consumers. Without the tag monitoring a user sees only what is his own. */
@Api
class ConnectionApi {
    /** The state of a connection whose client was told already: a node says 404 to closing it. */
    private static final String CLOSING = "closing";

    private final BrokerQueries queries;
    private final BrokerCommands commands;

    ConnectionApi(BrokerQueries queries, BrokerCommands commands) {
        this.queries = queries;
        this.commands = commands;
    }

    @GetMapping("/connections")
    Object connections(HttpServletRequest request, SignedInUser user) {
        return ListQuery.of(request).apply(visible(user));
    }

    @GetMapping("/vhosts/{vhost}/connections")
    Object connectionsOfVhost(@PathVariable String vhost, HttpServletRequest request, SignedInUser user) {
        requireVhost(vhost);
        return ListQuery.of(request)
                .apply(visible(user).stream()
                        .filter(one -> one.vhost().equals(vhost))
                        .toList());
    }

    @GetMapping("/connections/username/{name}")
    Object connectionsOfUser(@PathVariable String name, HttpServletRequest request, SignedInUser user) {
        return ListQuery.whole(request)
                .apply(visible(user).stream()
                        .filter(one -> one.user().equals(name))
                        .map(one -> new TrackedConnection(one.name(), one.vhost(), one.user(), one.node()))
                        .toList());
    }

    /** The little that is asked of a user's connections. */
    private record TrackedConnection(String name, String vhost, String user, String node) {}

    @DeleteMapping("/connections/username/{name}")
    ResponseEntity<Object> closeConnectionsOfUser(
            @PathVariable String name,
            @RequestHeader(name = "X-Reason", defaultValue = "Closed via management plugin") String reason,
            SignedInUser user) {
        if (!user.isAdministrator() && !user.name().equals(name)) {
            throw ApiAccess.denied("User not authorised to access object");
        }
        visible(user).stream()
                .filter(one -> one.user().equals(name) && !one.state().equals(CLOSING))
                .forEach(one -> closeUnlessGone(one, reason));
        return ResponseEntity.noContent().build();
    }

    /** One that has ended since it was listed does not keep the others from being closed. */
    private void closeUnlessGone(ConnectionView connection, String reason) {
        try {
            commands.apply(ConnectionMutations.close(connection, reason));
        } catch (BrokerRefusedException refused) {
            if (refused.status() != 404) {
                throw refused;
            }
        }
    }

    @GetMapping("/connections/{name}")
    Object connection(@PathVariable String name, HttpServletRequest request, SignedInUser user) {
        return ListQuery.columns(request, own(name, user));
    }

    @DeleteMapping("/connections/{name}")
    ResponseEntity<Object> close(
            @PathVariable String name,
            @RequestHeader(name = "X-Reason", defaultValue = "Closed via management plugin") String reason,
            SignedInUser user) {
        ConnectionView connection = own(name, user);
        if (!user.isAdministrator() && !user.name().equals(connection.user())) {
            throw ApiAccess.denied("User not authorised to access object");
        }
        return Answers.of(commands.apply(ConnectionMutations.close(connection, reason)));
    }

    @GetMapping("/connections/{name}/channels")
    Object channelsOfConnection(@PathVariable String name, HttpServletRequest request, SignedInUser user) {
        own(name, user);
        return ListQuery.of(request)
                .apply(queries.list(ControlPath.of("connections", name, "channels"), ChannelView.class));
    }

    @GetMapping("/channels")
    Object channels(HttpServletRequest request, SignedInUser user) {
        return ListQuery.of(request).apply(visibleChannels(user));
    }

    @GetMapping("/vhosts/{vhost}/channels")
    Object channelsOfVhost(@PathVariable String vhost, HttpServletRequest request, SignedInUser user) {
        requireVhost(vhost);
        return ListQuery.of(request)
                .apply(visibleChannels(user).stream()
                        .filter(one -> one.vhost().equals(vhost))
                        .toList());
    }

    @GetMapping("/channels/{name}")
    Object channel(@PathVariable String name, HttpServletRequest request, SignedInUser user) {
        ChannelView channel = ApiProblem.found(queries.find(ControlPath.of("channels", name), ChannelView.class));
        if (!user.has(Tag.MONITORING) && !user.name().equals(channel.user())) {
            throw ApiAccess.denied("User not authorised to access object");
        }
        return ListQuery.columns(request, channel);
    }

    @GetMapping("/consumers")
    Object consumers(HttpServletRequest request, SignedInUser user) {
        List<ConsumerView> consumers = queries.list(ControlPath.of("consumers"), ConsumerView.class);
        return ListQuery.of(request)
                .apply(Visible.in(consumers, consumer -> consumer.queue().vhost(), user::maySee));
    }

    @GetMapping("/consumers/{vhost}")
    Object consumers(@PathVariable String vhost, HttpServletRequest request) {
        return ListQuery.of(request).apply(queries.list(ControlPath.of("consumers", vhost), ConsumerView.class));
    }

    private ConnectionView own(String name, SignedInUser user) {
        ConnectionView connection =
                ApiProblem.found(queries.find(ControlPath.of("connections", name), ConnectionView.class));
        if (!user.has(Tag.MONITORING) && !user.name().equals(connection.user())) {
            throw ApiAccess.denied("User not authorised to access object");
        }
        return connection;
    }

    private List<ConnectionView> visible(SignedInUser user) {
        List<ConnectionView> all = queries.list(ControlPath.of("connections"), ConnectionView.class);
        return all.stream()
                .filter(one -> user.has(Tag.MONITORING) || user.name().equals(one.user()))
                .toList();
    }

    private List<ChannelView> visibleChannels(SignedInUser user) {
        List<ChannelView> all = queries.list(ControlPath.of("channels"), ChannelView.class);
        return all.stream()
                .filter(one -> user.has(Tag.MONITORING) || user.name().equals(one.user()))
                .toList();
    }

    private void requireVhost(String vhost) {
        ApiProblem.found(queries.find(ControlPath.of("vhosts", vhost).withoutStatistics(), VhostView.class));
    }
}
