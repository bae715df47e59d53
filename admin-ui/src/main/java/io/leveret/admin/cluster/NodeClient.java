package io.leveret.admin.cluster;

import io.leveret.model.control.ApiError;
import io.leveret.model.control.AuthenticatedUser;
import io.leveret.model.control.ControlSignature;
import io.leveret.model.control.Credentials;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.json.JsonMapper;

/**
 * Speaks to the control API of whichever node answers.
 *
 * <p>It stays with the node that answered last. A node that cannot be reached, or that says 503, did nothing: the next one
 * is asked, each at most once. When a question gets no answer in time the next node is asked as well; when a change
 * gets none, its outcome is unknown and it is not sent again.
 */
public final class NodeClient implements BrokerQueries, BrokerCommands {
    private static final int UNAVAILABLE = 503;
    private static final int UNKNOWN = 504;
    private static final ControlPath AUTHENTICATE = ControlPath.of("authenticate");

    private final List<String> nodes;
    private final ClusterSettings settings;
    private final ControlSignature signature;
    private final Caller caller;
    private final JsonMapper json;
    private final Clock clock;
    private final HttpClient http;
    private final SecureRandom random = new SecureRandom();
    private final AtomicInteger preferred = new AtomicInteger();

    public NodeClient(ClusterSettings settings, Caller caller, JsonMapper json, Clock clock) {
        if (settings.nodes().isEmpty()) {
            throw new IllegalStateException("LEVERET_NODES names no node");
        }
        this.nodes = List.copyOf(settings.nodes());
        this.settings = settings;
        this.signature = new ControlSignature(settings.sharedSecret());
        this.caller = caller;
        this.json = json;
        this.clock = clock;
        this.http = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(settings.connectTimeout())
                .build();
    }

    /** One request, before it is known which node takes it. */
    private record Call(String method, ControlPath path, byte[] body, Map<String, String> headers, boolean isChange) {}

    @Override
    public <T> List<T> list(ControlPath path, Class<T> element) {
        byte[] body = checked(send(new Call("GET", path, new byte[0], Map.of(), false)))
                .body();
        JavaType type = json.getTypeFactory().constructCollectionType(List.class, element);
        return parsed(() -> json.readValue(body, type), path);
    }

    @Override
    public <T> T get(ControlPath path, Class<T> type) {
        byte[] body = checked(send(new Call("GET", path, new byte[0], Map.of(), false)))
                .body();
        return parsed(() -> json.readValue(body, type), path);
    }

    @Override
    public <T> T ask(ControlPath path, Object question, Class<T> type) {
        byte[] body = checked(send(new Call("POST", path, bytes(question), Map.of(), false)))
                .body();
        return parsed(() -> json.readValue(body, type), path);
    }

    @Override
    public Optional<AuthenticatedUser> authenticate(Credentials credentials) {
        HttpResponse<byte[]> answer = send(new Call("POST", AUTHENTICATE, bytes(credentials), Map.of(), false));
        if (answer.statusCode() == 401) {
            refuseWrongSecret(answer);
            return Optional.empty();
        }
        byte[] body = checked(answer).body();
        return Optional.of(parsed(() -> json.readValue(body, AuthenticatedUser.class), AUTHENTICATE));
    }

    @Override
    public CommandAnswer apply(Mutation mutation) {
        byte[] body = mutation.body() == null ? new byte[0] : bytes(mutation.body());
        HttpResponse<byte[]> answer =
                checked(send(new Call(mutation.method(), mutation.path(), body, mutation.headers(), true)));
        return new CommandAnswer(
                answer.statusCode(), answer.headers().firstValue("Location").orElse(null), text(answer));
    }

    private HttpResponse<byte[]> send(Call call) {
        List<String> problems = new ArrayList<>();
        int first = preferred.get();
        for (int i = 0; i < nodes.size(); i++) {
            int index = Math.floorMod(first + i, nodes.size());
            HttpResponse<byte[]> answer = tryNode(nodes.get(index), call, problems);
            if (answer != null) {
                preferred.set(index);
                return answer;
            }
        }
        throw new BrokerUnavailableException("no node answers: " + String.join("; ", problems));
    }

    /** Null when this node did nothing and the next may be asked. */
    private @Nullable HttpResponse<byte[]> tryNode(String node, Call call, List<String> problems) {
        try {
            HttpResponse<byte[]> answer = http.send(request(node, call), HttpResponse.BodyHandlers.ofByteArray());
            if (answer.statusCode() == UNAVAILABLE && isUnavailable(answer)) {
                problems.add(node + " says: " + error(answer).reason());
                return null;
            }
            if (answer.statusCode() == UNKNOWN) {
                throw new UnknownOutcomeException(error(answer).reason());
            }
            return answer;
        } catch (ConnectException | HttpConnectTimeoutException unreachable) {
            problems.add(node + " cannot be reached");
            return null;
        } catch (IOException lost) {
            if (call.isChange()) {
                throw new UnknownOutcomeException(
                        node + " did not answer; it is not known whether the change was made");
            }
            problems.add(node + " did not answer");
            return null;
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
            throw new BrokerUnavailableException("interrupted while waiting for " + node);
        }
    }

    private HttpRequest request(String node, Call call) {
        String user = URLEncoder.encode(caller.name(), StandardCharsets.UTF_8).replace("+", "%20");
        String millis = Long.toString(clock.millis());
        String nonce = nonce();
        String target = call.path().target();
        Duration timeout = call.isChange() ? settings.commandTimeout() : settings.queryTimeout();
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://" + node + target))
                .timeout(timeout)
                .method(call.method(), HttpRequest.BodyPublishers.ofByteArray(call.body()))
                .header("Content-Type", "application/json")
                .header(ControlSignature.TIME_HEADER, millis)
                .header(ControlSignature.NONCE_HEADER, nonce)
                .header(
                        ControlSignature.SIGNATURE_HEADER,
                        signature.sign(
                                new ControlSignature.Request(call.method(), target, user, millis, nonce), call.body()));
        if (!user.isEmpty()) {
            request.header(ControlSignature.USER_HEADER, user);
        }
        call.headers().forEach(request::header);
        return request.build();
    }

    private HttpResponse<byte[]> checked(HttpResponse<byte[]> answer) {
        if (answer.statusCode() < 400) {
            return answer;
        }
        refuseWrongSecret(answer);
        throw new BrokerRefusedException(answer.statusCode(), error(answer), text(answer));
    }

    private void refuseWrongSecret(HttpResponse<byte[]> answer) {
        if (answer.statusCode() == 401 && error(answer).error().equals(ControlSignature.REFUSED)) {
            throw new BrokerUnavailableException(answer.uri().getAuthority() + " does not accept this secret: "
                    + error(answer).reason());
        }
    }

    private boolean isUnavailable(HttpResponse<byte[]> answer) {
        return error(answer).error().equals("unavailable");
    }

    private ApiError error(HttpResponse<byte[]> answer) {
        String body = text(answer);
        try {
            Map<?, ?> fields = json.readValue(body, Map.class);
            return new ApiError(text(fields.get("error"), "error"), text(fields.get("reason"), body));
        } catch (JacksonException notJson) {
            return new ApiError("error", body.isBlank() ? "status " + answer.statusCode() : body);
        }
    }

    private static String text(HttpResponse<byte[]> answer) {
        return new String(answer.body(), StandardCharsets.UTF_8);
    }

    private static String text(@Nullable Object value, String otherwise) {
        return value == null ? otherwise : value.toString();
    }

    private byte[] bytes(Object body) {
        return body instanceof byte[] raw ? raw : json.writeValueAsBytes(body);
    }

    private String nonce() {
        byte[] bytes = new byte[18];
        random.nextBytes(bytes);
        return Base64.getUrlEncoder().encodeToString(bytes);
    }

    /** An answer that is being read. */
    private interface Reading<T> {
        T read();
    }

    private static <T> T parsed(Reading<T> reading, ControlPath path) {
        try {
            return reading.read();
        } catch (JacksonException odd) {
            throw new BrokerUnavailableException("the answer to " + path + " cannot be read ("
                    + odd.getOriginalMessage() + "); do versions differ?");
        }
    }
}
