package io.leveret.node.control;

import io.leveret.model.ExchangeName;
import io.leveret.model.QueueName;
import io.leveret.model.ShortString;
import io.leveret.model.UserName;
import io.leveret.model.VhostName;
import io.leveret.model.control.FetchRequest;
import io.leveret.model.control.PublishAnswer;
import io.leveret.model.definition.UserDefinition;
import io.leveret.model.view.FetchedMessage;
import io.leveret.node.broker.auth.Permission;
import io.leveret.node.broker.message.Message;
import io.leveret.node.broker.message.MessageProperties;
import io.leveret.node.broker.message.Property;
import io.leveret.node.broker.queue.QueueHandle;
import io.leveret.node.broker.queue.Subscription.Settlement;
import io.leveret.node.broker.vhost.BrokerException;
import io.leveret.node.broker.vhost.QueueDeclaration;
import io.leveret.node.broker.vhost.Routed;
import io.leveret.node.broker.vhost.VirtualHost;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Publishing and getting of single messages, and the aliveness test that does both. */
final class MessageResource {
    private static final String NOBODY = "";
    private static final String ALIVENESS_QUEUE = "aliveness-test";
    private static final String IMPERSONATOR = "impersonator";
    private static final int COUNT_MAX = 10_000;
    /** Publishers of clients have numbers from 1 on: these never meet them. */
    private static final long FIRST_SERIAL = 1L << 62;

    private final Resources resources;
    private final AtomicLong serials = new AtomicLong(FIRST_SERIAL);

    MessageResource(Resources resources) {
        this.resources = resources;
    }

    void addTo(Routes routes) {
        routes.add("POST", "exchanges/{}/{}/publish", this::publish)
                .add("POST", "queues/{}/{}/get", this::fetch)
                .add("GET", "aliveness-test/{}", this::aliveness);
    }

    private Answer publish(ControlRequest request) {
        ExchangeName exchange = ExchangeResource.name(request);
        new Access(resources.scope().permissions(), request).check(Permission.WRITE, exchange);
        String routingKey = request.required("routing_key").asString("");
        if (!ShortString.fits(routingKey)) {
            throw ControlRefusal.badRequest("routing_key is longer than " + ShortString.BYTES_MAX + " bytes");
        }
        String payload = request.required("payload").asString("");
        request.required("properties");
        JsonNode body = request.json();
        byte[] header = JsonProperties.toBytes(body.path("properties"));
        checkUser(request.user(), header);
        byte[] bytes = bytes(payload, body.path("payload_encoding").asString("string"));
        Message message = new Message(exchange.value(), routingKey, header, bytes, JsonProperties.isPersistent(header));
        return Answer.of(publish(resources.vhost(exchange.vhost()), message));
    }

    private void checkUser(@Nullable UserName user, byte[] header) {
        String claimed = MessageProperties.of(header).text(Property.USER_ID);
        if (user == null || claimed == null || claimed.equals(user.value())) {
            return;
        }
        UserDefinition definition = resources.scope().store().image().user(user);
        if (definition == null || !definition.tags().contains(IMPERSONATOR)) {
            throw asTold(new BrokerException(
                    BrokerException.Kind.PRECONDITION_FAILED,
                    "user_id property set to '" + claimed + "' but authenticated user was '" + user + "'"));
        }
    }

    private static byte[] bytes(String payload, String encoding) {
        if (!encoding.equals("base64")) {
            return payload.getBytes(StandardCharsets.UTF_8);
        }
        try {
            return Base64.getDecoder().decode(payload);
        } catch (IllegalArgumentException e) {
            throw ControlRefusal.badRequest(List.of("not_base64", payload));
        }
    }

    private PublishAnswer publish(VirtualHost vhost, Message message) {
        Routed routed;
        try {
            routed = vhost.route(message);
        } catch (BrokerException e) {
            if (e.kind() != BrokerException.Kind.NOT_FOUND) {
                throw asTold(e);
            }
            Waiting.on(vhost.upToDate());
            routed = routeAgain(vhost, message);
        }
        if (routed.queues().isEmpty()) {
            return new PublishAnswer(false, null);
        }
        OnePublish publish = new OnePublish(resources.scope().executor(), serials.getAndIncrement());
        return new PublishAnswer(true, Waiting.on(publish.to(routed)));
    }

    private static Routed routeAgain(VirtualHost vhost, Message message) {
        try {
            return vhost.route(message);
        } catch (BrokerException e) {
            throw asTold(e);
        }
    }

    /** A refusal in the words of a channel that is closed for it. */
    private static ControlRefusal asTold(BrokerException refusal) {
        String code = switch (refusal.kind()) {
            case NOT_FOUND -> "404 NOT_FOUND";
            case ACCESS_REFUSED -> "403 ACCESS_REFUSED";
            case RESOURCE_LOCKED -> "405 RESOURCE_LOCKED";
            case RESOURCE_ERROR -> "506 RESOURCE_ERROR";
            default -> "406 PRECONDITION_FAILED";
        };
        return ControlRefusal.badRequest(code + " - " + refusal.getMessage());
    }

    private Answer fetch(ControlRequest request) {
        QueueName queue = QueueResource.name(request);
        new Access(resources.scope().permissions(), request).check(Permission.READ, queue);
        FetchRequest asked = request.json(FetchRequest.class);
        if (asked.count() < 0 || asked.count() > COUNT_MAX) {
            throw ControlRefusal.badRequest("count must be within 0 and " + COUNT_MAX);
        }
        QueueHandle handle = Waiting.on(resources
                .vhost(queue.vhost())
                .openQueue(queue.value(), NOBODY)
                .exceptionallyCompose(fault -> CompletableFuture.failedFuture(asTold(queue, fault))));
        List<Fetch.Fetched> fetched = Waiting.on(
                new Fetch(resources.scope().executor(), handle).take(asked.count(), settlement(asked.ackMode())));
        return Answer.of(fetched.stream().map(each -> view(each, asked)).toList());
    }

    private static Throwable asTold(QueueName queue, Throwable fault) {
        Throwable cause = fault instanceof CompletionException && fault.getCause() != null ? fault.getCause() : fault;
        if (!(cause instanceof BrokerException refusal)) {
            return cause;
        }
        return refusal.kind() == BrokerException.Kind.NOT_FOUND
                ? new ControlRefusal(404, "not_found", "NOT_FOUND - no queue " + queue)
                : asTold(refusal);
    }

    private static Settlement settlement(String mode) {
        return switch (mode) {
            case "ack_requeue_true", "reject_requeue_true" -> Settlement.REQUEUE;
            case "ack_requeue_false" -> Settlement.ACK;
            case "reject_requeue_false" -> Settlement.REJECT;
            default -> throw ControlRefusal.badRequest("unknown ackmode " + mode);
        };
    }

    private static FetchedMessage view(Fetch.Fetched fetched, FetchRequest asked) {
        Message message = fetched.message();
        byte[] body = message.body();
        Integer truncate = asked.truncate();
        byte[] shown = truncate != null && truncate < body.length ? Arrays.copyOf(body, truncate) : body;
        String text = new String(shown, StandardCharsets.UTF_8);
        boolean isText = asked.encoding().equals("auto") && Arrays.equals(text.getBytes(StandardCharsets.UTF_8), shown);
        Map<String, Object> properties = JsonProperties.of(message.header());
        return new FetchedMessage(
                body.length,
                fetched.isRedelivered(),
                message.exchange(),
                message.routingKey(),
                fetched.remaining(),
                properties.isEmpty() ? List.of() : properties,
                isText ? text : Base64.getEncoder().encodeToString(shown),
                isText ? "string" : "base64");
    }

    private Answer aliveness(ControlRequest request) {
        VhostName name = request.vhost(0);
        if (resources.cluster().image().definitions().vhost(name) == null) {
            throw ControlRefusal.notFound();
        }
        Access access = new Access(resources.scope().permissions(), request);
        QueueName queue = new QueueName(name, ALIVENESS_QUEUE);
        access.check(Permission.CONFIGURE, queue);
        String blocked = resources.scope().figures().blockedBy();
        if (blocked != null) {
            return new Answer(
                    503, Map.of("status", "failed", "reason", "publishers are blocked: " + blocked), Map.of());
        }
        VirtualHost vhost = resources.vhost(name);
        Waiting.on(vhost.declareQueue(
                new QueueDeclaration(ALIVENESS_QUEUE, false, false, false, false, Map.of()), NOBODY));
        byte[] body = "test_message".getBytes(StandardCharsets.UTF_8);
        PublishAnswer published = publish(vhost, new Message("", ALIVENESS_QUEUE, JsonProperties.none(), body, false));
        QueueHandle handle = Waiting.on(vhost.openQueue(ALIVENESS_QUEUE, NOBODY));
        List<Fetch.Fetched> fetched =
                Waiting.on(new Fetch(resources.scope().executor(), handle).take(1, Settlement.ACK));
        boolean isAlive = Boolean.TRUE.equals(published.isConfirmed()) && !fetched.isEmpty();
        return isAlive
                ? Answer.of(Map.of("status", "ok"))
                : new Answer(503, Map.of("status", "failed", "reason", "the message did not come back"), Map.of());
    }
}
