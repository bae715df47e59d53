package io.leveret.node.amqp.server;

import io.leveret.model.VhostName;
import io.leveret.node.amqp.wire.AmqpException;
import io.leveret.node.amqp.wire.ConnectionMethod;
import io.leveret.node.amqp.wire.Method;
import io.leveret.node.amqp.wire.ReplyCode;
import io.leveret.node.broker.auth.Login;
import io.leveret.node.broker.auth.LoginAttempts;
import io.leveret.node.broker.auth.LoginsOverloadedException;
import io.leveret.node.broker.vhost.VirtualHost;
import io.leveret.node.runtime.SerialExecutor;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The opening of one connection: start → start-ok → (credentials are checked) → tune → tune-ok → open → (the vhost is looked
 * up) → open-ok. A method out of turn, or limits that were not offered, end it without a word: a client that does not keep to
 * the opening would not understand an answer either.
 */
final class Handshake {
    static final String OUT_OF_TURN = "did not keep to the handshake";

    private static final String CLOSE_ON_FAILURE = "authentication_failure_close";
    private static final String EXTERNAL = "EXTERNAL";
    private static final int FRAME_BYTES_MIN = 4096;
    private static final int SHOWN_LETTERS_MAX = 255;

    private final AmqpServerConfig config;
    private final AmqpServer.Services services;
    private final ConnectionRegistry registry;
    private final Host host;
    private Step step = Step.START_OK;
    private String mechanism = "";
    private Map<String, @Nullable Object> clientProperties = Map.of();
    private int channelMax;
    private int frameBytesMax;
    private int heartbeatSeconds;

    @Nullable
    private Login login;

    private Admission.@Nullable Place place;

    /** The connection that is being opened. */
    interface Host {
        ConnectionRegistry.Peers peers();

        SerialExecutor executor();

        void send(Method method);

        /** Runs a step of the connection when the stage completes, on its loop, unless it is gone. */
        <T extends @Nullable Object> void await(
                CompletionStage<T> stage, Consumer<T> then, Consumer<Throwable> onFailure);

        /** Ends the connection after a while, without a word. @param why what the client did, for the log */
        void drop(String why);

        /** Ends it with connection.close. */
        void refuse(AmqpException fault);

        /**
         * Ends it with connection.close, or after a while without a word when the fault is null; later when logins from its
         * address have failed again and again.
         */
        void refuseLogin(String why, @Nullable AmqpException fault);

        void tuned(int frameBytesMax, int heartbeatSeconds);

        void opened(Handshake handshake, Login login, VirtualHost vhost);
    }

    private enum Step {
        START_OK,
        TUNE_OK,
        OPEN,
        WAITING
    }

    Handshake(AmqpServerConfig config, AmqpServer.Services services, ConnectionRegistry registry, Host host) {
        this.config = config;
        this.services = services;
        this.registry = registry;
        this.host = host;
    }

    void start() {
        String mechanisms = certificateUser().isEmpty() ? "PLAIN AMQPLAIN" : "PLAIN AMQPLAIN " + EXTERNAL;
        host.send(new ConnectionMethod.Start(
                0,
                9,
                ServerProperties.of(config),
                mechanisms.getBytes(StandardCharsets.US_ASCII),
                "en_US".getBytes(StandardCharsets.US_ASCII)));
    }

    void onMethod(Method method) {
        if (step == Step.START_OK && method instanceof ConnectionMethod.StartOk startOk) {
            logIn(startOk);
        } else if (step == Step.TUNE_OK && method instanceof ConnectionMethod.TuneOk tuneOk) {
            tune(tuneOk);
        } else if (step == Step.OPEN && method instanceof ConnectionMethod.Open open) {
            open(open.virtualHost());
        } else {
            host.drop(OUT_OF_TURN);
        }
    }

    /** The user name in the client's certificate; empty when there is none. */
    private String certificateUser() {
        TlsSession session = host.peers().tls();
        TlsConfig tls = config.tls();
        return session == null || session.peer() == null || tls == null
                ? ""
                : session.peer().user(tls.loginFrom());
    }

    private void logIn(ConnectionMethod.StartOk startOk) {
        step = Step.WAITING;
        mechanism = startOk.mechanism();
        clientProperties = startOk.clientProperties();
        if (!registry.throttle().mayTry(address())) {
            host.drop("comes from an address with too many failed logins");
        } else if (mechanism.equals(EXTERNAL) && host.peers().tls() != null) {
            String user = certificateUser();
            awaitLogin(user, services.authenticator().logInVerified(user, address()));
        } else {
            Credentials credentials = Credentials.read(mechanism, startOk.response());
            if (credentials == null) {
                services.authenticator().attempts().count(LoginAttempts.AMQP, address(), "", false);
                host.refuseLogin(
                        "cannot log in by mechanism '" + shown(mechanism) + "', or its response is malformed", null);
                return;
            }
            awaitLogin(
                    credentials.user(),
                    services.authenticator().logIn(credentials.user(), credentials.password(), address()));
        }
    }

    private void awaitLogin(String user, CompletionStage<@Nullable Login> check) {
        host.await(check, found -> loggedIn(user, found), this::notChecked);
    }

    private void notChecked(Throwable thrown) {
        host.refuse(
                thrown instanceof LoginsOverloadedException
                        ? AmqpException.connection(ReplyCode.RESOURCE_ERROR, String.valueOf(thrown.getMessage()))
                        : Faults.translate(thrown));
    }

    private void loggedIn(String user, @Nullable Login found) {
        services.authenticator().attempts().count(LoginAttempts.AMQP, address(), user, found != null);
        if (found != null) {
            login = found;
            step = Step.TUNE_OK;
            host.send(
                    new ConnectionMethod.Tune(config.channelMax(), config.frameBytesMax(), config.heartbeatSeconds()));
            return;
        }
        String why = "failed to log in as user '" + shown(user) + "' by " + mechanism;
        host.refuseLogin(
                why,
                !hasCapability(CLOSE_ON_FAILURE)
                        ? null
                        : AmqpException.connection(
                                ReplyCode.ACCESS_REFUSED,
                                "Login was refused using authentication mechanism " + mechanism
                                        + ". For details see the broker logfile."));
    }

    private InetAddress address() {
        return host.peers().remote().getAddress();
    }

    /** Words of the client on one line, and not too long a one. */
    static String shown(String words) {
        String start = words.length() > SHOWN_LETTERS_MAX ? words.substring(0, SHOWN_LETTERS_MAX) + "…" : words;
        return start.replaceAll("\\p{Cntrl}", " ");
    }

    private void tune(ConnectionMethod.TuneOk tuneOk) {
        boolean isFrameFine = tuneOk.frameMax() >= FRAME_BYTES_MIN && tuneOk.frameMax() <= config.frameBytesMax();
        boolean isChannelFine = tuneOk.channelMax() >= 1 && tuneOk.channelMax() <= config.channelMax();
        if (!isFrameFine || !isChannelFine) {
            host.drop("asked for frame_max=" + tuneOk.frameMax() + ", channel_max=" + tuneOk.channelMax()
                    + ", which was not offered");
            return;
        }
        channelMax = tuneOk.channelMax();
        frameBytesMax = tuneOk.frameMax();
        heartbeatSeconds = tuneOk.heartbeat();
        step = Step.OPEN;
        host.tuned(frameBytesMax, heartbeatSeconds);
    }

    private void open(String name) {
        step = Step.WAITING;
        String refusal = registry.refusal();
        if (refusal != null) {
            refuse(ReplyCode.CONNECTION_FORCED, refusal);
        } else if (name.isEmpty()) {
            refuse(ReplyCode.NOT_ALLOWED, "vhost  not found");
        } else {
            host.await(
                    services.vhosts().lookUp(new VhostName(name)),
                    vhost -> enter(name, vhost, false),
                    thrown -> refuse(ReplyCode.INTERNAL_ERROR, "vhost " + name + " could not be looked up"));
        }
    }

    /** @param isUpToDate this node has caught up with the cluster: what it does not know was not granted */
    private void enter(String name, @Nullable VirtualHost vhost, boolean isUpToDate) {
        Login who = login;
        if (vhost == null || who == null) {
            refuse(ReplyCode.NOT_ALLOWED, "vhost " + name + " not found");
        } else if (!services.permissions().mayEnter(who.user(), vhost.name())) {
            if (isUpToDate) {
                refuse(ReplyCode.NOT_ALLOWED, "access to vhost '" + name + "' refused for user '" + who.user() + "'");
            } else {
                host.await(vhost.upToDate(), nothing -> enter(name, vhost, true), thrown -> enter(name, vhost, true));
            }
        } else {
            Admission.Place taken = registry.admission().connection(who.user(), vhost.name(), host.executor());
            place = taken;
            host.await(
                    taken.verdict(),
                    refusal -> {
                        if (refusal == null) {
                            host.opened(this, who, vhost);
                        } else {
                            refuse(ReplyCode.NOT_ALLOWED, refusal);
                        }
                    },
                    thrown -> host.refuse(Faults.translate(thrown)));
        }
    }

    /** The connection ends: its place is free. Any number of times. */
    void leave() {
        if (place != null) {
            place.giveBack();
        }
    }

    private void refuse(ReplyCode code, String reason) {
        host.refuse(AmqpException.connection(code, reason).at(ConnectionMethod.CLASS_ID, 40));
    }

    /** What the client says it understands. */
    boolean hasCapability(String name) {
        return clientProperties.get("capabilities") instanceof Map<?, ?> capabilities
                && Boolean.TRUE.equals(capabilities.get(name));
    }

    /**
     * kombu, and Celery on it, set {@code global} only for a broker that calls itself RabbitMQ; with others they hold to the
     * specification, where a basic.qos without it is about the channel. Celery raises that limit for each task with an ETA.
     */
    boolean isQosPerChannel() {
        return "py-amqp".equals(clientProperties.get("product"));
    }

    String mechanism() {
        return mechanism;
    }

    Map<String, @Nullable Object> clientProperties() {
        return clientProperties;
    }

    int channelMax() {
        return channelMax;
    }

    int frameBytesMax() {
        return frameBytesMax;
    }

    int heartbeatSeconds() {
        return heartbeatSeconds;
    }
}
