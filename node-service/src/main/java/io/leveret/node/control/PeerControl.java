package io.leveret.node.control;

import io.leveret.model.NodeName;
import io.leveret.model.control.ControlSignature;
import io.leveret.node.runtime.NodeClock;
import io.leveret.node.runtime.Randomness;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Asks the control APIs of the other nodes. Any thread. */
final class PeerControl {
    private static final Duration CONNECT = Duration.ofSeconds(2);
    private static final Duration ANSWER = Duration.ofSeconds(15);
    private static final int NONCE_BYTES = 18;

    private final ControlSignature signature;
    private final NodeClock clock;
    private final Randomness randomness;
    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(CONNECT)
            .build();

    PeerControl(ControlSignature signature, NodeClock clock, Randomness randomness) {
        this.signature = signature;
        this.clock = clock;
        this.randomness = randomness;
    }

    /** What another node answered. */
    record PeerAnswer(int status, byte[] body) {}

    /** A path from its segments, each percent-encoded. */
    static String path(String... segments) {
        StringBuilder path = new StringBuilder();
        for (String segment : segments) {
            path.append('/').append(encoded(segment));
        }
        return path.toString();
    }

    static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /** @param path after {@code /control}, encoded, with its query */
    CompletionStage<PeerAnswer> ask(
            Map<NodeName, String> addresses, NodeName node, String method, String path, byte[] body) {
        String address = addresses.get(node);
        if (address == null) {
            return CompletableFuture.failedFuture(new IllegalStateException("no address of " + node));
        }
        String target = "/control" + path;
        String millis = Long.toString(clock.currentTimeMillis());
        byte[] random = new byte[NONCE_BYTES];
        randomness.fill(random);
        String nonce = Base64.getUrlEncoder().withoutPadding().encodeToString(random);
        ControlSignature.Request signed = new ControlSignature.Request(method, target, "", millis, nonce);
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://" + address + target))
                .timeout(ANSWER)
                .method(method, HttpRequest.BodyPublishers.ofByteArray(body))
                .header("Content-Type", "application/json")
                .header(ControlSignature.TIME_HEADER, millis)
                .header(ControlSignature.NONCE_HEADER, nonce)
                .header(ControlSignature.SIGNATURE_HEADER, signature.sign(signed, body))
                .build();
        return http.sendAsync(request, HttpResponse.BodyHandlers.ofByteArray())
                .thenApply(response -> new PeerAnswer(response.statusCode(), response.body()));
    }
}
