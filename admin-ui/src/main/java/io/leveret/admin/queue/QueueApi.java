package io.leveret.admin.queue;

import io.leveret.admin.cluster.BrokerCommands;
import io.leveret.admin.cluster.BrokerQueries;
import io.leveret.admin.cluster.ControlPath;
import io.leveret.admin.security.Needs;
import io.leveret.admin.security.SignedInUser;
import io.leveret.admin.security.Tag;
import io.leveret.admin.web.Answers;
import io.leveret.admin.web.Api;
import io.leveret.admin.web.ApiProblem;
import io.leveret.admin.web.JsonBody;
import io.leveret.admin.web.ListQuery;
import io.leveret.admin.web.Visible;
import io.leveret.model.control.FetchRequest;
import io.leveret.model.control.QueueAction;
import io.leveret.model.control.QueueDeclaration;
import io.leveret.model.view.BindingView;
import io.leveret.model.view.QueueView;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;

/** /api/queues. */
@Api
class QueueApi {
    private static final Set<String> ACK_MODES =
            Set.of("ack_requeue_true", "ack_requeue_false", "reject_requeue_true", "reject_requeue_false");
    private static final int FETCH_MAX = 10_000;

    private final BrokerQueries queries;
    private final BrokerCommands commands;

    QueueApi(BrokerQueries queries, BrokerCommands commands) {
        this.queries = queries;
        this.commands = commands;
    }

    @GetMapping("/queues")
    Object queues(HttpServletRequest request, SignedInUser user) {
        List<QueueView> queues = queries.list(listPath(request, ControlPath.of("queues")), QueueView.class);
        return shown(Visible.in(queues, QueueView::vhost, user::maySee), request);
    }

    @GetMapping("/queues/{vhost}")
    Object queues(@PathVariable String vhost, HttpServletRequest request) {
        return shown(queries.list(listPath(request, ControlPath.of("queues", vhost)), QueueView.class), request);
    }

    @GetMapping("/queues/{vhost}/{name}")
    Object queue(@PathVariable String vhost, @PathVariable String name, HttpServletRequest request) {
        QueueView queue =
                ApiProblem.found(queries.find(listPath(request, QueueMutations.path(vhost, name)), QueueView.class));
        return ListQuery.columns(
                request, WithoutStatistics.isWanted(request) ? WithoutStatistics.of(queue, request) : queue);
    }

    @PutMapping("/queues/{vhost}/{name}")
    ResponseEntity<Object> declare(
            @PathVariable String vhost,
            @PathVariable String name,
            @RequestBody(required = false) byte @Nullable [] body) {
        JsonBody queue = JsonBody.of(body);
        String node = queue.text("node", "");
        QueueDeclaration declaration = new QueueDeclaration(
                queue.bool("durable", false),
                queue.bool("auto_delete", false),
                queue.object("arguments"),
                node.isEmpty() ? null : node);
        return Answers.of(commands.apply(QueueMutations.declare(vhost, name, declaration)));
    }

    @DeleteMapping("/queues/{vhost}/{name}")
    ResponseEntity<Object> delete(
            @PathVariable String vhost,
            @PathVariable String name,
            @RequestParam(name = "if-unused", defaultValue = "false") String ifUnused,
            @RequestParam(name = "if-empty", defaultValue = "false") String ifEmpty) {
        return Answers.of(
                commands.apply(QueueMutations.delete(vhost, name, "true".equals(ifUnused), "true".equals(ifEmpty))));
    }

    @GetMapping("/queues/{vhost}/{name}/bindings")
    Object bindings(@PathVariable String vhost, @PathVariable String name, HttpServletRequest request) {
        return ListQuery.of(request)
                .apply(queries.list(QueueMutations.path(vhost, name).plus("bindings"), BindingView.class));
    }

    @DeleteMapping("/queues/{vhost}/{name}/contents")
    ResponseEntity<Object> purge(@PathVariable String vhost, @PathVariable String name) {
        return Answers.of(commands.apply(QueueMutations.purge(vhost, name)));
    }

    @PostMapping("/queues/{vhost}/{name}/get")
    ResponseEntity<Object> fetch(
            @PathVariable String vhost,
            @PathVariable String name,
            @RequestBody(required = false) byte @Nullable [] body) {
        JsonBody wanted = JsonBody.of(body).require("count", "ackmode", "encoding");
        String ackMode = wanted.text("ackmode", "");
        String encoding = wanted.text("encoding", "");
        if (!ACK_MODES.contains(ackMode)) {
            throw ApiProblem.badRequest("ackmode is one of ack_requeue_true, ack_requeue_false, reject_requeue_true, "
                    + "reject_requeue_false");
        }
        if (!encoding.equals("auto") && !encoding.equals("base64")) {
            throw ApiProblem.badRequest("Unsupported encoding. Please use auto or base64.");
        }
        int count = wanted.integer("count", 0);
        FetchRequest request = new FetchRequest(
                count < 0 ? FETCH_MAX : Math.min(count, FETCH_MAX),
                ackMode,
                encoding,
                wanted.has("truncate") ? Integer.valueOf(wanted.integer("truncate", 0)) : null);
        return Answers.of(commands.apply(QueueMutations.fetch(vhost, name, request)));
    }

    @PostMapping("/queues/{vhost}/{name}/actions")
    @Needs(Tag.ADMINISTRATOR)
    ResponseEntity<Object> act(
            @PathVariable String vhost,
            @PathVariable String name,
            @RequestBody(required = false) byte @Nullable [] body) {
        String action = JsonBody.of(body).require("action").text("action", "");
        if (!action.equals(QueueAction.SYNC) && !action.equals(QueueAction.CANCEL_SYNC)) {
            throw ApiProblem.badRequest(List.of("unknown", action));
        }
        return Answers.of(commands.apply(QueueMutations.act(vhost, name, action)));
    }

    private static ControlPath listPath(HttpServletRequest request, ControlPath path) {
        boolean isPlain = WithoutStatistics.isWanted(request) && !WithoutStatistics.isWithTotals(request);
        return isPlain ? path.withoutStatistics() : path;
    }

    private static Object shown(List<QueueView> queues, HttpServletRequest request) {
        ListQuery query = ListQuery.of(request);
        if (!WithoutStatistics.isWanted(request)) {
            return query.apply(queues);
        }
        return query.apply(queues.stream()
                .map(queue -> WithoutStatistics.of(queue, request))
                .toList());
    }
}
