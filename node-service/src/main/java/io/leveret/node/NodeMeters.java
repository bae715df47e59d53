package io.leveret.node;

import io.leveret.node.broker.auth.LoginAttempts;
import io.leveret.node.control.ControlScope;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** What monitoring reads of this node at its actuator: {@code leveret.auth.attempts} by protocol and outcome. */
record NodeMeters(NodeProcess process) implements MeterBinder {
    @Override
    public void bindTo(MeterRegistry registry) {
        for (String protocol : List.of(LoginAttempts.AMQP, LoginAttempts.HTTP)) {
            attempts(registry, protocol, "succeeded", LoginAttempts.Row::succeeded);
            attempts(registry, protocol, "failed", LoginAttempts.Row::failed);
        }
    }

    private void attempts(
            MeterRegistry registry, String protocol, String outcome, ToDoubleFunction<LoginAttempts.Row> count) {
        FunctionCounter.builder("leveret.auth.attempts", process, now -> sum(now, protocol, count))
                .description("attempts to log in")
                .tag("protocol", protocol)
                .tag("outcome", outcome)
                .register(registry);
    }

    /** Nothing while the broker is stopped, as after a restart. */
    private static double sum(NodeProcess process, String protocol, ToDoubleFunction<LoginAttempts.Row> count) {
        ControlScope scope = process.scope();
        return scope == null
                ? 0
                : scope.authenticator().attempts().protocols().stream()
                        .filter(row -> row.protocol().equals(protocol))
                        .mapToDouble(count)
                        .sum();
    }
}
