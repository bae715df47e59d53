package io.leveret.node.broker.vhost;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leveret.model.ExchangeName;
import io.leveret.model.VhostName;
import io.leveret.model.definition.ApplyTo;
import io.leveret.model.definition.ExchangeDefinition;
import io.leveret.model.definition.PolicyDefinition;
import io.leveret.model.definition.VhostDefinition;
import io.leveret.node.broker.definitions.DefinitionChange;
import io.leveret.node.broker.message.Message;
import io.leveret.node.broker.message.MessageProperties;
import io.leveret.node.broker.queue.Publisher;
import io.leveret.node.broker.vhost.BrokerException.Kind;
import io.leveret.node.runtime.SerialExecutor;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Where messages go in a vhost. */
class VirtualHostTest extends VhostFixture {
    @Test
    void routingFollowsWhatIsDeclared() {
        declare("a", "b");
        assertThat(routed("", "a")).containsExactly("a");
        assertThat(routed("", "nosuch")).isEmpty();
        assertThat(routed("amq.direct", "k")).isEmpty();
        now(vhost.bindQueue("a", "amq.direct", "k", Map.of(), ME));
        assertThat(routed("amq.direct", "k")).containsExactly("a");
        now(vhost.bindQueue("b", "amq.direct", "k", Map.of(), ME));
        assertThat(routed("amq.direct", "k")).containsExactly("a", "b");
        now(vhost.deleteQueue("a", false, false, ME));
        assertThat(routed("amq.direct", "k")).containsExactly("b");
        now(vhost.unbindQueue("b", "amq.direct", "k", Map.of(), ME));
        assertThat(routed("amq.direct", "k")).isEmpty();
        assertThatThrownBy(() -> routed("nosuch", "k")).hasMessage("no exchange 'nosuch' in vhost '/'");
    }

    @Test
    void routesThroughOtherExchangesFollowTheirChanges() {
        declare("a");
        now(vhost.declareExchange(exchange("e", "fanout")));
        now(vhost.bindExchange("e", "amq.topic", "#", Map.of()));
        assertThat(routed("amq.topic", "k")).isEmpty();
        now(vhost.bindQueue("a", "e", "", Map.of(), ME));
        assertThat(routed("amq.topic", "k")).containsExactly("a");
    }

    @Test
    void headersCountWhereTheyMustAndOnlyThere() {
        declare("a");
        now(vhost.bindQueue("a", "amq.headers", "", Map.of("n", 1), ME));
        assertThat(routed("amq.headers", "k", "n", 1)).containsExactly("a");
        assertThat(routed("amq.headers", "k", "n", 2)).isEmpty();
        assertThat(routed("amq.headers", "k")).isEmpty();
    }

    @Test
    void copiesGoToFurtherKeysAndBlindOnesAreNotShown() {
        declare("a", "b", "c");
        Routed routed = vhost.route(message("", "a", "CC", List.of("b"), "BCC", List.of("c", "a")));
        assertThat(routed.queues()).hasSize(3);
        assertThat(MessageProperties.of(routed.message()).headers()).containsOnlyKeys("CC");
        now(vhost.bindQueue("b", "amq.direct", "2", Map.of(), ME));
        assertThat(routed("amq.direct", "1", "CC", List.of("2"))).containsExactly("b");
        assertThat(routed("amq.direct", "1")).isEmpty();
        assertThat(routed("", "a", "ACC", 5)).containsExactly("a");
        assertThatThrownBy(() -> routed("", "a", "CC", "b"))
                .hasMessage("invalid message: {unacceptable_type_in_header,\"CC\",longstr}");
    }

    @Test
    void blindCopiesAreTakenOutAndAllElseKeepsItsBytes() {
        declare("a", "b");
        String blind = "03424343" + "4100000006" + "530000000162";
        String before = "0161" + "42ff" + "0162" + "5300000002c328";
        String after = "0163" + "69ffffffff" + "0164" + "7405";
        byte[] header = HexFormat.of().parseHex("200000000027" + before + blind + after);
        Routed routed = vhost.route(new Message("", "a", header, new byte[0], false));
        assertThat(routed.queues()).hasSize(2);
        assertThat(HexFormat.of().formatHex(routed.message().header())).isEqualTo("200000000018" + before + after);
    }

    @Test
    void internalExchangesTakeNothingFromOutside() {
        now(vhost.declareExchange(
                new ExchangeDefinition(ExchangeName.of("/", "xint"), "fanout", true, false, true, Map.of())));
        assertThatThrownBy(() -> routed("xint", "k"))
                .isInstanceOfSatisfying(
                        BrokerException.class,
                        refusal -> assertThat(refusal.kind()).isEqualTo(Kind.ACCESS_REFUSED))
                .hasMessage("cannot publish to internal exchange 'xint' in vhost '/'");
        assertThat(vhost.routeInside(message("xint", "k")).queues()).isEmpty();
    }

    @Test
    void thePolicysAlternateExchangeYieldsToTheArgument() {
        declare("argument", "policy");
        now(vhost.declareExchange(exchange("one", "direct", "alternate-exchange", "ae1")));
        now(vhost.declareExchange(exchange("two", "direct")));
        now(vhost.declareExchange(exchange("ae1", "fanout")));
        now(vhost.declareExchange(exchange("ae2", "fanout")));
        now(vhost.bindQueue("argument", "ae1", "", Map.of(), ME));
        now(vhost.bindQueue("policy", "ae2", "", Map.of(), ME));
        assertThat(routed("two", "k")).isEmpty();
        definitions.agree(new DefinitionChange.PutPolicy(
                new PolicyDefinition(ROOT, "p", "", ApplyTo.EXCHANGES, 0, Map.of("alternate-exchange", "ae2"))));
        assertThat(routed("one", "k")).containsExactly("argument");
        assertThat(routed("two", "k")).containsExactly("policy");
        definitions.agree(new DefinitionChange.DeletePolicy(ROOT, "p"));
        assertThat(routed("two", "k")).isEmpty();
    }

    @Test
    void publishingHandsTheMessageToEveryQueue() {
        declare("a", "b");
        now(vhost.bindQueue("a", "amq.fanout", "", Map.of(), ME));
        now(vhost.bindQueue("b", "amq.fanout", "", Map.of(), ME));
        List<Long> answers = new ArrayList<>();
        Publisher publisher = new Publisher() {
            @Override
            public long channelSerial() {
                return 1;
            }

            @Override
            public SerialExecutor executor() {
                return new ManualExecutor(timers);
            }

            @Override
            public void answered(long number, boolean isConfirmed) {
                answers.add(number);
            }
        };
        assertThat(vhost.publish(publisher, 5, message("amq.fanout", ""))).isEqualTo(2);
        assertThat(vhost.publish(publisher, 6, message("", "nosuch"))).isZero();
        assertThat(answers).containsExactly(5L, 5L);
    }

    @Test
    void manyKeysDoNotGrowTheCachesWithoutBound() {
        declare("a");
        now(vhost.bindQueue("a", "amq.topic", "#", Map.of(), ME));
        for (int i = 0; i < 25_000; i++) {
            assertThat(vhost.route(message("amq.topic", "k" + i)).queues()).hasSize(1);
            vhost.route(message("", "k" + i));
        }
        assertThat(routed("amq.topic", "k1")).containsExactly("a");
    }

    @Test
    void vhostsComeAndGoWithTheDefinitions() {
        VhostName other = new VhostName("other");
        assertThat(vhosts.find(other)).isNull();
        definitions.setBehind(true);
        definitions.agree(new DefinitionChange.PutVhost(new VhostDefinition(other, "", List.of())));
        assertThat(vhosts.find(other)).isNull();
        VirtualHost found = now(vhosts.lookUp(other));
        assertThat(found.name()).isEqualTo(other);
        assertThat(now(vhosts.lookUp(other))).isSameAs(found);
        now(definitions.submit(new DefinitionChange.DeleteVhost(other)));
        assertThat(vhosts.find(other)).isNull();
        now(vhost.upToDate());
    }
}
