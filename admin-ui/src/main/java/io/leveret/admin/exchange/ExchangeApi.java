package io.leveret.admin.exchange;

import io.leveret.admin.cluster.BrokerCommands;
import io.leveret.admin.cluster.BrokerQueries;
import io.leveret.admin.cluster.ControlPath;
import io.leveret.admin.security.SignedInUser;
import io.leveret.admin.web.Answers;
import io.leveret.admin.web.Api;
import io.leveret.admin.web.ApiProblem;
import io.leveret.admin.web.JsonBody;
import io.leveret.admin.web.ListQuery;
import io.leveret.admin.web.Visible;
import io.leveret.admin.web.Words;
import io.leveret.model.control.ExchangeDeclaration;
import io.leveret.model.control.PublishRequest;
import io.leveret.model.view.BindingView;
import io.leveret.model.view.ExchangeView;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;

/** /api/exchanges. The default exchange is {@code amq.default} in a path. */
@Api
class ExchangeApi {
    private final BrokerQueries queries;
    private final BrokerCommands commands;

    ExchangeApi(BrokerQueries queries, BrokerCommands commands) {
        this.queries = queries;
        this.commands = commands;
    }

    @GetMapping("/exchanges")
    Object exchanges(HttpServletRequest request, SignedInUser user) {
        List<ExchangeView> exchanges = queries.list(ControlPath.of("exchanges"), ExchangeView.class);
        return ListQuery.of(request).apply(Visible.in(exchanges, ExchangeView::vhost, user::maySee));
    }

    @GetMapping("/exchanges/{vhost}")
    Object exchanges(@PathVariable String vhost, HttpServletRequest request) {
        return ListQuery.of(request).apply(queries.list(ControlPath.of("exchanges", vhost), ExchangeView.class));
    }

    @GetMapping("/exchanges/{vhost}/{name}")
    Object exchange(@PathVariable String vhost, @PathVariable String name, HttpServletRequest request) {
        return ListQuery.columns(
                request, ApiProblem.found(queries.find(ExchangeMutations.path(vhost, name), ExchangeView.class)));
    }

    @PutMapping("/exchanges/{vhost}/{name}")
    ResponseEntity<Object> declare(
            @PathVariable String vhost,
            @PathVariable String name,
            @RequestBody(required = false) byte @Nullable [] body) {
        JsonBody exchange = JsonBody.of(body);
        ExchangeDeclaration declaration = new ExchangeDeclaration(
                exchange.text("type", "direct"),
                exchange.bool("durable", false),
                exchange.bool("auto_delete", false),
                exchange.bool("internal", false),
                exchange.object("arguments"));
        return Answers.of(commands.apply(ExchangeMutations.declare(vhost, name, declaration)));
    }

    @DeleteMapping("/exchanges/{vhost}/{name}")
    ResponseEntity<Object> delete(
            @PathVariable String vhost,
            @PathVariable String name,
            @RequestParam(name = "if-unused", defaultValue = "false") String ifUnused) {
        return Answers.of(commands.apply(ExchangeMutations.delete(vhost, name, "true".equals(ifUnused))));
    }

    @GetMapping("/exchanges/{vhost}/{name}/bindings/source")
    Object bindingsFrom(@PathVariable String vhost, @PathVariable String name, HttpServletRequest request) {
        return bindings(ExchangeMutations.path(vhost, name).plus("bindings", "source"), request);
    }

    @GetMapping("/exchanges/{vhost}/{name}/bindings/destination")
    Object bindingsTo(@PathVariable String vhost, @PathVariable String name, HttpServletRequest request) {
        return bindings(ExchangeMutations.path(vhost, name).plus("bindings", "destination"), request);
    }

    @PostMapping("/exchanges/{vhost}/{name}/publish")
    ResponseEntity<Object> publish(
            @PathVariable String vhost,
            @PathVariable String name,
            @RequestBody(required = false) byte @Nullable [] body) {
        return published(vhost, name, body);
    }

    /** Two slashes: the default exchange by its empty name. */
    @PostMapping("/exchanges/{vhost}//publish")
    ResponseEntity<Object> publish(@PathVariable String vhost, @RequestBody(required = false) byte @Nullable [] body) {
        return published(vhost, Words.DEFAULT_EXCHANGE, body);
    }

    private ResponseEntity<Object> published(String vhost, String name, byte @Nullable [] body) {
        JsonBody message = JsonBody.of(body).require("properties", "routing_key", "payload", "payload_encoding");
        String payload = message.text("payload", "");
        String encoding = message.text("payload_encoding", "");
        if (encoding.equals("base64")) {
            JsonBody.requireBase64(payload);
        } else if (!encoding.equals("string")) {
            throw ApiProblem.badRequest(List.of("unsupported_encoding", encoding));
        }
        PublishRequest request =
                new PublishRequest(message.object("properties"), message.text("routing_key", ""), payload, encoding);
        return Answers.of(commands.apply(ExchangeMutations.publish(vhost, name, request)));
    }

    private Object bindings(ControlPath path, HttpServletRequest request) {
        return ListQuery.of(request).apply(queries.list(path, BindingView.class));
    }
}
