package io.leveret.node.control;

import io.leveret.model.ExchangeName;
import io.leveret.model.QueueName;
import io.leveret.model.VhostName;
import io.leveret.model.definition.BindingDefinition;
import io.leveret.model.definition.BindingDefinition.Destination;
import io.leveret.model.definition.BindingDefinition.Kind;
import io.leveret.model.definition.ExchangeDefinition;
import io.leveret.model.view.BindingView;
import io.leveret.model.view.ExchangeView;
import io.leveret.node.broker.auth.Permission;
import io.leveret.node.broker.definitions.DefinitionsImage;
import io.leveret.node.cluster.metadata.ClusterImage;
import io.leveret.node.control.ClusterView.Selection;
import io.leveret.node.metrics.NodeReport.Part;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Exchanges and bindings. */
final class ExchangeResource {
    private static final String DEFAULT_IN_PATHS = "amq.default";
    private static final String NOBODY = "";

    private final Resources resources;

    ExchangeResource(Resources resources) {
        this.resources = resources;
    }

    void addTo(Routes routes) {
        routes.add("GET", "exchanges", this::all)
                .add("GET", "exchanges/{}", this::ofVhost)
                .add("GET", "exchanges/{}/{}", this::one)
                .add("PUT", "exchanges/{}/{}", this::declare)
                .add("DELETE", "exchanges/{}/{}", this::delete)
                .add("GET", "exchanges/{}/{}/bindings/source", this::bindingsFrom)
                .add("GET", "exchanges/{}/{}/bindings/destination", this::bindingsToExchange)
                .add("GET", "queues/{}/{}/bindings", this::bindingsToQueue)
                .add("GET", "bindings", this::allBindings)
                .add("GET", "bindings/{}", this::bindingsOfVhost);
        addPair(routes, "q", Kind.QUEUE);
        addPair(routes, "e", Kind.EXCHANGE);
    }

    private void addPair(Routes routes, String letter, Kind kind) {
        String path = "bindings/{}/e/{}/" + letter + "/{}";
        routes.add("GET", path, request -> Answer.of(between(request, kind, binding -> true)))
                .add("POST", path, request -> bind(request, kind))
                .add("GET", path + "/{}", request -> Answer.of(named(request, kind)))
                .add("DELETE", path + "/{}", request -> unbind(request, kind));
    }

    private static ExchangeName name(VhostName vhost, String part) {
        try {
            return new ExchangeName(vhost, part.equals(DEFAULT_IN_PATHS) ? "" : part);
        } catch (IllegalArgumentException e) {
            throw ControlRefusal.badRequest("exchange should be less than 255 bytes, actually was " + part.length());
        }
    }

    static ExchangeName name(ControlRequest request) {
        return name(request.vhost(0), request.part(1));
    }

    private Answer all(ControlRequest request) {
        ClusterImage image = resources.cluster().image();
        ClusterView.Matchers matchers = new ClusterView.Matchers(image);
        Published published = published(request, Set.of(Part.EXCHANGES));
        List<ExchangeView> list = new ArrayList<>();
        image.definitions()
                .vhosts()
                .keySet()
                .forEach(vhost -> image.definitions()
                        .exchanges(vhost)
                        .values()
                        .forEach(exchange -> list.add(view(exchange, matchers, published, false))));
        return Answer.of(list);
    }

    /** What was published to which exchange, over all nodes. */
    private Published published(ControlRequest request, Set<Part> parts) {
        return new Published(
                request.flag("disable_stats") ? List.of() : resources.cluster().reports(parts, Selection.ALL));
    }

    private Answer ofVhost(ControlRequest request) {
        ClusterImage image = resources.imageWith(request.vhost(0));
        ClusterView.Matchers matchers = new ClusterView.Matchers(image);
        Published published = published(request, Set.of(Part.EXCHANGES));
        return Answer.of(image.definitions().exchanges(request.vhost(0)).values().stream()
                .map(exchange -> view(exchange, matchers, published, false))
                .toList());
    }

    private static ExchangeView view(
            ExchangeDefinition exchange, ClusterView.Matchers matchers, Published published, boolean isDetailed) {
        String name = exchange.name().value();
        boolean isPredeclared = name.isEmpty() || name.startsWith("amq.");
        return new ExchangeView(
                name,
                exchange.name().vhost().value(),
                exchange.type(),
                exchange.isDurable(),
                exchange.isAutoDelete(),
                exchange.isInternal(),
                exchange.arguments(),
                isPredeclared ? "rmq-internal" : null,
                matchers.of(exchange.name().vhost()).forExchange(name).policy(),
                published.stats(exchange.name()),
                isDetailed ? published.incoming(exchange.name()) : null);
    }

    private Answer one(ControlRequest request) {
        ClusterImage image = resources.cluster().image();
        ExchangeDefinition exchange = image.definitions().exchange(name(request));
        if (exchange == null) {
            throw ControlRefusal.notFound();
        }
        Published published = published(request, Set.of(Part.EXCHANGES, Part.CHANNELS, Part.DETAILS));
        return Answer.of(view(exchange, new ClusterView.Matchers(image), published, true));
    }

    private Answer declare(ControlRequest request) {
        ExchangeName name = name(request);
        JsonNode body = request.json();
        var vhost = resources.vhost(name.vhost());
        new Access(resources.scope().permissions(), request).check(Permission.CONFIGURE, name);
        boolean isThere = resources.scope().store().image().exchange(name) != null;
        Waiting.on(vhost.declareExchange(new ExchangeDefinition(
                name,
                body.path("type").asString("direct"),
                QueueResource.flag(body, "durable"),
                QueueResource.flag(body, "auto_delete"),
                QueueResource.flag(body, "internal"),
                Json.object(body.path("arguments")))));
        return Answer.createdOrDone(!isThere);
    }

    private Answer delete(ControlRequest request) {
        ExchangeName name = name(request);
        resources.imageWith(name.vhost());
        new Access(resources.scope().permissions(), request).check(Permission.CONFIGURE, name);
        if (resources.cluster().image().definitions().exchange(name) == null) {
            throw ControlRefusal.notFound();
        }
        Waiting.on(resources.vhost(name.vhost()).deleteExchange(name.value(), request.flag("if-unused")));
        return Answer.done();
    }

    // ---- bindings

    private Answer bindingsFrom(ControlRequest request) {
        ExchangeName source = name(request);
        ClusterImage image = resources.imageWith(source.vhost());
        return Answer.of(views(
                image.definitions(), source.vhost(), binding -> binding.source().equals(source)));
    }

    private Answer bindingsToExchange(ControlRequest request) {
        ExchangeName destination = name(request);
        ClusterImage image = resources.imageWith(destination.vhost());
        return Answer.of(image.definitions().bindingsTo(destination).stream()
                .map(ExchangeResource::view)
                .toList());
    }

    private Answer bindingsToQueue(ControlRequest request) {
        QueueName queue = QueueResource.name(request);
        ClusterImage image = resources.imageWith(queue.vhost());
        if (image.definitions().queue(queue) == null) {
            return Answer.of(List.of());
        }
        List<BindingView> list = new ArrayList<>();
        list.add(view(implied(queue.vhost(), queue.value())));
        image.definitions().bindingsTo(queue).forEach(binding -> list.add(view(binding)));
        return Answer.of(list);
    }

    private Answer allBindings(ControlRequest request) {
        DefinitionsImage image = resources.cluster().image().definitions();
        List<BindingView> list = new ArrayList<>();
        image.vhosts().keySet().forEach(vhost -> list.addAll(views(image, vhost, binding -> true)));
        return Answer.of(list);
    }

    private Answer bindingsOfVhost(ControlRequest request) {
        DefinitionsImage image = resources.imageWith(request.vhost(0)).definitions();
        return Answer.of(views(image, request.vhost(0), binding -> true));
    }

    /** The binding that every queue has to the default exchange. */
    private static BindingDefinition implied(VhostName vhost, String queue) {
        return new BindingDefinition(new ExchangeName(vhost, ""), new Destination(Kind.QUEUE, queue), queue, Map.of());
    }

    private static List<BindingView> views(
            DefinitionsImage image, VhostName vhost, Predicate<BindingDefinition> which) {
        List<BindingView> list = new ArrayList<>();
        image.queues(vhost).keySet().stream()
                .map(queue -> implied(vhost, queue))
                .filter(which)
                .forEach(binding -> list.add(view(binding)));
        image.exchanges(vhost)
                .values()
                .forEach(exchange -> image.bindingsFrom(exchange.name()).stream()
                        .filter(which)
                        .forEach(binding -> list.add(view(binding))));
        return list;
    }

    static BindingView view(BindingDefinition binding) {
        return new BindingView(
                binding.source().value(),
                binding.vhost().value(),
                binding.destination().name(),
                binding.destination().kind() == Kind.QUEUE ? BindingView.TO_QUEUE : BindingView.TO_EXCHANGE,
                binding.bindingKey(),
                binding.arguments(),
                BindingView.propertiesKey(binding.bindingKey(), binding.arguments()));
    }

    private List<BindingView> between(ControlRequest request, Kind kind, Predicate<BindingView> which) {
        VhostName vhost = request.vhost(0);
        DefinitionsImage image = resources.imageWith(vhost).definitions();
        ExchangeName source = name(vhost, request.part(1));
        Destination destination = destination(request, kind);
        return views(
                        image,
                        vhost,
                        binding -> binding.source().equals(source)
                                && binding.destination().equals(destination))
                .stream()
                .filter(which)
                .toList();
    }

    private static Destination destination(ControlRequest request, Kind kind) {
        String part = request.part(2);
        return new Destination(kind, kind == Kind.EXCHANGE && part.equals(DEFAULT_IN_PATHS) ? "" : part);
    }

    private BindingView named(ControlRequest request, Kind kind) {
        return between(request, kind, view -> view.isNamedBy(request.part(3))).stream()
                .findFirst()
                .orElseThrow(ControlRefusal::notFound);
    }

    private void checkAccess(ControlRequest request, Kind kind) {
        Access access = new Access(resources.scope().permissions(), request);
        VhostName vhost = request.vhost(0);
        if (kind == Kind.QUEUE) {
            access.check(Permission.WRITE, new QueueName(vhost, request.part(2)));
        } else {
            access.check(Permission.WRITE, name(vhost, request.part(2)));
        }
        access.check(Permission.READ, name(vhost, request.part(1)));
    }

    private Answer bind(ControlRequest request, Kind kind) {
        checkAccess(request, kind);
        JsonNode body = request.json();
        String key = text(body.path("routing_key"));
        Map<String, Object> arguments = Json.object(body.path("arguments"));
        String source = name(request.vhost(0), request.part(1)).value();
        String destination = destination(request, kind).name();
        var vhost = resources.vhost(request.vhost(0));
        Waiting.on(
                kind == Kind.QUEUE
                        ? vhost.bindQueue(destination, source, key, arguments, NOBODY)
                        : vhost.bindExchange(destination, source, key, arguments));
        String location = URLEncoder.encode(destination, StandardCharsets.UTF_8) + "/"
                + BindingView.propertiesKey(key, arguments);
        return new Answer(201, null, Map.of("Location", location));
    }

    private static String text(@Nullable JsonNode value) {
        return value == null || value.isMissingNode() || value.isNull()
                ? ""
                : value.isString() ? value.stringValue() : value.toString();
    }

    private Answer unbind(ControlRequest request, Kind kind) {
        checkAccess(request, kind);
        BindingView binding = named(request, kind);
        var vhost = resources.vhost(request.vhost(0));
        Waiting.on(
                kind == Kind.QUEUE
                        ? vhost.unbindQueue(
                                binding.destination(),
                                binding.source(),
                                binding.routingKey(),
                                binding.arguments(),
                                NOBODY)
                        : vhost.unbindExchange(
                                binding.destination(), binding.source(), binding.routingKey(), binding.arguments()));
        return Answer.done();
    }
}
