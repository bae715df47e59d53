package io.leveret.admin;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.leveret.model.control.ApiError;
import io.leveret.model.control.ControlSignature;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import tools.jackson.databind.json.JsonMapper;

/** A node's control API over real HTTP, with answers that a test gives it. It checks every signature. */
public final class FakeNode implements AutoCloseable {
    public static final String SECRET = "a secret for tests";

    /** What came in. {@code body} is empty when there was none. */
    public record Received(String method, String target, String user, String body) {}

    /** What goes out. */
    public record Answer(int status, String body, Map<String, String> headers) {}

    /** Decides an answer. */
    public interface Behaviour {
        Answer answer(Received request) throws IOException;
    }

    private static final String PLAIN = "?disable_stats=true";
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final ControlSignature SIGNATURE = new ControlSignature(SECRET);

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Map<String, Behaviour> behaviours = new ConcurrentHashMap<>();
    private final List<Received> received = Collections.synchronizedList(new ArrayList<>());

    public FakeNode() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException failure) {
            throw new IllegalStateException(failure);
        }
        server.setExecutor(threads);
        server.createContext("/", this::handle);
        server.start();
    }

    public String address() {
        return "127.0.0.1:" + server.getAddress().getPort();
    }

    /** Answers GET on this target (after /control) with a view, or a list of views. */
    public FakeNode shows(String target, Object view) {
        return on("GET " + target, request -> json(200, view));
    }

    public FakeNode on(String methodAndTarget, Behaviour behaviour) {
        behaviours.put(methodAndTarget, behaviour);
        return this;
    }

    /** Forgets what came in. */
    public void forget() {
        received.clear();
    }

    /** What came in, without the questions for passwords. */
    public List<Received> received() {
        synchronized (received) {
            return received.stream()
                    .filter(one -> !one.target().equals("/authenticate"))
                    .toList();
        }
    }

    public List<Received> changes() {
        return received().stream().filter(one -> !one.method().equals("GET")).toList();
    }

    public static Answer json(int status, Object view) {
        return new Answer(status, JSON.writeValueAsString(view), Map.of());
    }

    public static Answer empty(int status) {
        return new Answer(status, "", Map.of());
    }

    public static Answer refused(int status, String error, String reason) {
        return json(status, new ApiError(error, reason));
    }

    private void handle(HttpExchange exchange) throws IOException {
        byte[] body = exchange.getRequestBody().readAllBytes();
        String target = exchange.getRequestURI().toString();
        String user = header(exchange, ControlSignature.USER_HEADER);
        ControlSignature.Request signed = new ControlSignature.Request(
                exchange.getRequestMethod(),
                target,
                user,
                header(exchange, ControlSignature.TIME_HEADER),
                header(exchange, ControlSignature.NONCE_HEADER));
        Received request = new Received(
                exchange.getRequestMethod(),
                target.substring("/control".length()),
                URLDecoder.decode(user, StandardCharsets.UTF_8),
                new String(body, StandardCharsets.UTF_8));
        received.add(request);
        if (!SIGNATURE.matches(signed, body, header(exchange, ControlSignature.SIGNATURE_HEADER))) {
            send(exchange, refused(401, ControlSignature.REFUSED, "the signature is wrong"));
            return;
        }
        Behaviour behaviour = behaviour(request.method() + " " + request.target());
        try {
            send(
                    exchange,
                    behaviour == null ? refused(404, "Object Not Found", "Not Found") : behaviour.answer(request));
        } catch (IOException dropped) {
            exchange.close();
        }
    }

    /** What has no form without statistics is the same with them. */
    private Behaviour behaviour(String methodAndTarget) {
        Behaviour exact = behaviours.get(methodAndTarget);
        return exact == null && methodAndTarget.endsWith(PLAIN)
                ? behaviours.get(methodAndTarget.substring(0, methodAndTarget.length() - PLAIN.length()))
                : exact;
    }

    private static void send(HttpExchange exchange, Answer answer) throws IOException {
        byte[] bytes = answer.body().getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        answer.headers().forEach((name, value) -> exchange.getResponseHeaders().set(name, value));
        exchange.sendResponseHeaders(answer.status(), bytes.length == 0 ? -1 : bytes.length);
        if (bytes.length > 0) {
            exchange.getResponseBody().write(bytes);
        }
        exchange.close();
    }

    private static String header(HttpExchange exchange, String name) {
        String value = exchange.getRequestHeaders().getFirst(name);
        return value == null ? "" : value;
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
