package io.leveret.admin.connection;

import io.leveret.admin.web.Paths;
import io.leveret.admin.web.Pill;
import io.leveret.admin.web.Words;
import io.leveret.model.view.ConnectionView;
import io.leveret.model.view.Rate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A connection in the list. */
public record ConnectionRow(ConnectionView connection, Clock clock) {
    public String name() {
        return connection.name();
    }

    public String link() {
        return "/connections/" + Paths.encoded(connection.name());
    }

    public String bytesReceived() {
        return Words.bytes(connection.bytesReceived());
    }

    public String bytesSent() {
        return Words.bytes(connection.bytesSent());
    }

    public String pending() {
        return Words.bytes(connection.sendPending());
    }

    public String heartbeat() {
        return connection.timeout() == 0 ? "none" : "every " + connection.timeout() + " s";
    }

    /** What TLS agreed on; {@code none} without it. */
    public String tls() {
        return connection.isTls() ? connection.tlsProtocol() + ", " + connection.tlsCipher() : "none";
    }

    public String label() {
        return Objects.requireNonNullElse(connection.userProvidedName(), "");
    }

    public Pill state() {
        String state = connection.state();
        String kind = switch (state) {
            case "blocked", "blocking" -> "bad";
            case "flow" -> "warn";
            case "running" -> "ok";
            default -> "";
        };
        return Pill.of(kind, state);
    }

    public String protocol() {
        return connection.protocol() + (connection.isTls() ? ", TLS" : "");
    }

    public String client() {
        Object product = connection.clientProperties().get("product");
        Object version = connection.clientProperties().get("version");
        return (product == null ? "" : product) + (version == null ? "" : " " + version);
    }

    public String received() {
        return perSecond(connection.bytesReceivedRate());
    }

    public String sent() {
        return perSecond(connection.bytesSentRate());
    }

    public String since() {
        return Words.time(Instant.ofEpochMilli(connection.connectedAt()));
    }

    public String age() {
        return Words.duration(Duration.ofMillis(clock.millis() - connection.connectedAt()));
    }

    private static String perSecond(@Nullable Rate rate) {
        return rate == null ? Words.UNKNOWN : Words.bytes(Math.round(rate.rate())) + "/s";
    }
}
