package io.leveret.ctl;

import io.leveret.model.control.ControlSignature;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.MissingNode;

/** Speaks to the control API of one node. Every request is signed with the cluster's secret, which is never sent. */
final class ControlClient {
    static final ObjectMapper JSON = JsonMapper.builder().build();
    /** What a node says whose process runs, but not its broker. */
    private static final String STOPPED = "the broker on this node is stopped";

    private static final int CONNECT_MILLIS = 5_000;
    private static final int NONCE_BYTES = 18;

    private final NodeAddress address;
    private final ControlSignature signature;
    private final int timeoutMillis;

    /** @param timeoutMillis how long to wait for an answer; 0 for as long as it takes */
    ControlClient(NodeAddress address, int timeoutMillis) {
        this.address = address;
        this.signature = new ControlSignature(address.secret());
        this.timeoutMillis = timeoutMillis;
    }

    /** What the node answered. */
    record Answer(int status, JsonNode body) {
        boolean isOk() {
            return status < 300;
        }

        boolean isMissing() {
            return status == 404;
        }

        String reason() {
            JsonNode reason = body.path("reason");
            if (reason.isArray()) {
                return reason.values().stream().map(word -> word.asString("")).collect(Collectors.joining(" "));
            }
            return reason.asString("status " + status);
        }

        String error() {
            return body.path("error").asString("");
        }
    }

    /** The full name of the node. */
    String node() {
        return address.node();
    }

    NodeAddress address() {
        return address;
    }

    /** A path from its segments, each percent-encoded. */
    static String path(String... segments) {
        StringBuilder path = new StringBuilder();
        for (String segment : segments) {
            path.append('/')
                    .append(URLEncoder.encode(segment, StandardCharsets.UTF_8).replace("+", "%20"));
        }
        return path.toString();
    }

    /** A body that must be there: anything but success is a failure of the command. */
    JsonNode get(String path) {
        return accepted(ask("GET", path, null)).body();
    }

    Answer ask(String method, String path, @Nullable JsonNode body) {
        return ask(method, path, body, "");
    }

    /** @param reason told to those whom the request concerns, or empty */
    Answer ask(String method, String path, @Nullable JsonNode body, String reason) {
        byte[] bytes = body == null ? new byte[0] : JSON.writeValueAsBytes(body);
        Answer answer;
        try {
            answer = send(method, "/control" + path, bytes, reason);
        } catch (SocketTimeoutException e) {
            throw new CtlFailure(
                    CtlFailure.TIMED_OUT,
                    "Error: operation on node " + node() + " timed out. Timeout value used: " + timeoutMillis);
        } catch (IOException e) {
            throw new NodeUnreachable(this, String.valueOf(e.getMessage()));
        }
        if (answer.status == 503 && answer.reason().equals(STOPPED)) {
            throw new UsageFailure("Error: this command requires the 'rabbit' app to be running on the target node. "
                    + "Start it with '%s start_app'.");
        }
        if (answer.status == 401 && answer.error().equals(ControlSignature.REFUSED)) {
            throw new NodeUnreachable(this, answer.reason());
        }
        return answer;
    }

    /** The answer when it is a success; a failure of the command otherwise. */
    static Answer accepted(Answer answer) {
        if (answer.isOk()) {
            return answer;
        }
        throw CtlFailure.error(CtlFailure.UNAVAILABLE, answer.isMissing() ? "not_found" : answer.reason());
    }

    private Answer send(String method, String target, byte[] body, String reason) throws IOException {
        String host = address.host().contains(":") ? "[" + address.host() + "]" : address.host();
        HttpURLConnection connection = (HttpURLConnection) URI.create("http://" + host + ":" + address.port() + target)
                .toURL()
                .openConnection();
        connection.setConnectTimeout(CONNECT_MILLIS);
        connection.setReadTimeout(timeoutMillis);
        connection.setRequestMethod(method);
        String millis = Long.toString(System.currentTimeMillis());
        String nonce = nonce();
        ControlSignature.Request request = new ControlSignature.Request(method, target, "", millis, nonce);
        connection.setRequestProperty(ControlSignature.TIME_HEADER, millis);
        connection.setRequestProperty(ControlSignature.NONCE_HEADER, nonce);
        connection.setRequestProperty(ControlSignature.SIGNATURE_HEADER, signature.sign(request, body));
        if (!reason.isEmpty()) {
            connection.setRequestProperty("X-Reason", reason);
        }
        if (body.length > 0) {
            connection.setRequestProperty("Content-Type", "application/json");
            connection.setDoOutput(true);
            connection.setFixedLengthStreamingMode(body.length);
            try (OutputStream out = connection.getOutputStream()) {
                out.write(body);
            }
        }
        int status = connection.getResponseCode();
        try (InputStream in = status < 400 ? connection.getInputStream() : connection.getErrorStream()) {
            return new Answer(status, in == null ? MissingNode.getInstance() : parsed(in.readAllBytes()));
        }
    }

    private static JsonNode parsed(byte[] bytes) {
        try {
            return bytes.length == 0 ? MissingNode.getInstance() : JSON.readTree(bytes);
        } catch (JacksonException e) {
            return MissingNode.getInstance();
        }
    }

    private static String nonce() {
        byte[] bytes = new byte[NONCE_BYTES];
        new SecureRandom().nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }
}
