package io.leveret.node.broker.vhost;

import static org.assertj.core.api.Assertions.assertThat;

import io.leveret.model.ExchangeName;
import io.leveret.node.broker.definitions.DefinitionChange;
import io.leveret.node.broker.vhost.BrokerException.Kind;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** Exchanges and bindings of a vhost. */
class ExchangeDeclarationsTest extends VhostFixture {
    @Test
    void exchangesAreDeclaredByTheRules() {
        now(vhost.declareExchange(exchange("e", "direct")));
        now(vhost.declareExchange(exchange("e", "direct", "unknown", 1)));
        now(vhost.declareExchange(exchange("amq.direct", "direct")));
        now(vhost.inspectExchange("e"));
        assertRefused(
                vhost.declareExchange(exchange("e", "topic")),
                Kind.PRECONDITION_FAILED,
                "inequivalent arg 'type' for exchange 'e' in vhost '/': received 'topic' but current is 'direct'");
        assertRefused(
                vhost.declareExchange(exchange("b", "bogus")), Kind.COMMAND_INVALID, "invalid exchange type 'bogus'");
        assertRefused(
                vhost.declareExchange(exchange("b", "x-delayed-message")),
                Kind.COMMAND_INVALID,
                "unknown exchange type 'x-delayed-message'");
        assertRefused(
                vhost.declareExchange(exchange("amq.mine", "direct")),
                Kind.ACCESS_REFUSED,
                "exchange name 'amq.mine' contains reserved prefix 'amq.*'");
        assertRefused(
                vhost.declareExchange(exchange("xe3", "direct", "alternate-exchange", 5)),
                Kind.PRECONDITION_FAILED,
                "invalid type 'signedint' for arg 'alternate-exchange' in exchange 'xe3' in vhost '/'");
        assertRefused(vhost.inspectExchange("nosuch"), Kind.NOT_FOUND, "no exchange 'nosuch' in vhost '/'");
        now(vhost.declareExchange(exchange("a\nb", "direct")));
        now(vhost.inspectExchange("ab"));
    }

    @Test
    void theDefaultExchangeIsNotToBeTouched() {
        String reason = "operation not permitted on the default exchange";
        declare("q");
        for (CompletionStage<?> stage : List.of(
                vhost.declareExchange(exchange("", "direct")),
                vhost.inspectExchange(""),
                vhost.deleteExchange("", false),
                vhost.bindQueue("q", "", "k", Map.of(), ME),
                vhost.unbindQueue("q", "", "k", Map.of(), ME),
                vhost.bindExchange("amq.direct", "", "k", Map.of()),
                vhost.bindExchange("", "amq.direct", "k", Map.of()))) {
            assertRefused(stage, Kind.ACCESS_REFUSED, reason);
        }
    }

    @Test
    void exchangesAreDeletedByTheRules() {
        now(vhost.declareExchange(exchange("e", "direct")));
        declare("q");
        now(vhost.bindQueue("q", "e", "k", Map.of(), ME));
        assertRefused(vhost.deleteExchange("e", true), Kind.PRECONDITION_FAILED, "exchange 'e' in vhost '/' in use");
        assertRefused(
                vhost.deleteExchange("amq.direct", false),
                Kind.ACCESS_REFUSED,
                "deletion of system exchange 'amq.direct' in vhost '/' not allowed");
        now(vhost.deleteExchange("e", false));
        now(vhost.deleteExchange("e", true));
        assertRefused(vhost.inspectExchange("e"), Kind.NOT_FOUND, "no exchange 'e' in vhost '/'");
    }

    @Test
    void bindingsNeedBothOfTheirEnds() {
        declare("q");
        assertRefused(
                vhost.bindQueue("nosuch", "nosuchx", "k", Map.of(), ME),
                Kind.NOT_FOUND,
                "no exchange 'nosuchx' in vhost '/'");
        assertRefused(
                vhost.bindQueue("nosuch", "amq.direct", "k", Map.of(), ME),
                Kind.NOT_FOUND,
                "no queue 'nosuch' in vhost '/'");
        assertRefused(
                vhost.bindExchange("nosuch", "amq.direct", "k", Map.of()),
                Kind.NOT_FOUND,
                "no exchange 'nosuch' in vhost '/'");
        now(vhost.unbindQueue("nosuch", "amq.direct", "k", Map.of(), ME));
        now(vhost.unbindQueue("q", "nosuch", "k", Map.of(), ME));
        now(vhost.unbindExchange("amq.direct", "amq.fanout", "k", Map.of()));
        assertRefused(
                vhost.bindQueue("q", "amq.headers", "", Map.of("x-match", "bogus"), ME),
                Kind.PRECONDITION_FAILED,
                "Invalid x-match field value <<\"bogus\">>; expected all, any, all-with-x, or any-with-x");
        now(vhost.bindQueue("q", "amq.direct", "k", Map.of(), ME));
        now(vhost.bindQueue("q", "amq.direct", "k", Map.of(), ME));
        assertThat(definitions.image().bindingsFrom(ExchangeName.of("/", "amq.direct")))
                .hasSize(1);
    }

    @Test
    void aBindingToAnExchangeDeclaredElsewhereIsCheckedAfterCatchingUp() {
        declare("q");
        definitions.setBehind(true);
        definitions.agree(new DefinitionChange.DeclareExchange(exchange("h", "headers")));
        assertRefused(
                vhost.bindQueue("q", "h", "", Map.of("x-match", 5), ME),
                Kind.PRECONDITION_FAILED,
                "Invalid x-match field type signedint (value 5); expected longstr");
    }
}
