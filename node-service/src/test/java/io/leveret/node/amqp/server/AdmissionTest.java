package io.leveret.node.amqp.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.leveret.model.UserName;
import io.leveret.model.VhostName;
import io.leveret.model.definition.ParameterDefinition;
import io.leveret.model.definition.UserDefinition;
import io.leveret.model.definition.VhostDefinition;
import io.leveret.node.broker.auth.Permissions;
import io.leveret.node.broker.auth.Usage;
import io.leveret.node.broker.auth.UsageElsewhere;
import io.leveret.node.broker.definitions.DefinitionChange;
import io.leveret.node.broker.definitions.InMemoryDefinitions;
import io.leveret.node.runtime.ManualExecutor;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class AdmissionTest {
    private static final VhostName VHOST = new VhostName("/");
    private static final UserName USER = new UserName("guest");
    private static final int NODES = 3;

    private final InMemoryDefinitions definitions = new InMemoryDefinitions();
    private final ManualExecutor time = new ManualExecutor();
    private final List<Admission> nodes = new ArrayList<>();
    private Random random = new Random(1);

    private void build(ServerLimits limits) {
        definitions.agree(new DefinitionChange.PutVhost(new VhostDefinition(VHOST, "", List.of())));
        definitions.agree(new DefinitionChange.PutUser(new UserDefinition(USER, "", "", List.of())));
        for (int i = 0; i < NODES; i++) {
            int self = i;
            UsageElsewhere others = (user, vhost) -> askAllBut(self);
            nodes.add(new Admission(limits, new Permissions(definitions), others, 31 * i));
        }
    }

    /** Each is asked some time after the question, and its answer takes some time. */
    private CompletableFuture<Usage> askAllBut(int self) {
        List<CompletableFuture<Usage>> answers = new ArrayList<>();
        for (int i = 0; i < NODES; i++) {
            if (i != self) {
                Admission other = nodes.get(i);
                CompletableFuture<Usage> answer = new CompletableFuture<>();
                answers.add(answer);
                time.schedule(
                        () -> {
                            Usage seen = other.usage(USER, VHOST);
                            time.schedule(() -> answer.complete(seen), random.nextInt(10) * 1_000_000L);
                        },
                        random.nextInt(10) * 1_000_000L);
            }
        }
        return CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new))
                .thenApply(
                        nothing -> answers.stream().map(CompletableFuture::join).reduce(Usage.NONE, Usage::plus));
    }

    private int open() {
        return nodes.stream()
                .mapToInt(each -> each.usage(USER, VHOST).ofVhost().open())
                .sum();
    }

    private void limitVhost(int max) {
        definitions.agree(new DefinitionChange.PutParameter(
                new ParameterDefinition(VHOST, "vhost-limits", "limits", Map.of("max-connections", max))));
    }

    private String verdict(Admission.Place place) {
        time.advanceUntil(() -> place.verdict().toCompletableFuture().isDone(), 10_000);
        return place.verdict().toCompletableFuture().join();
    }

    @Test
    void aLimitIsNeverExceededHoweverManyRaceForIt() {
        build(ServerLimits.usual(Long.MAX_VALUE));
        limitVhost(5);
        for (long seed = 1; seed <= 200; seed++) {
            random = new Random(seed);
            List<Admission.Place> places = new ArrayList<>();
            for (int i = 0; i < 30; i++) {
                places.add(nodes.get(random.nextInt(NODES)).connection(USER, VHOST, time));
                for (int millis = random.nextInt(6); millis > 0; millis--) {
                    time.advanceMillis(1);
                    assertThat(open()).as("seed %d", seed).isLessThanOrEqualTo(5);
                }
                if (random.nextInt(10) == 0) {
                    places.get(random.nextInt(places.size())).giveBack();
                }
            }
            time.advanceMillis(10_000);
            assertThat(open()).as("seed %d", seed).isLessThanOrEqualTo(5);
            places.forEach(Admission.Place::giveBack);
            assertThat(nodes)
                    .as("seed %d", seed)
                    .allMatch(each -> each.usage(USER, VHOST).equals(Usage.NONE));
        }
    }

    @Test
    void whenAsManyComeAsMayAllGetIn() {
        build(ServerLimits.usual(Long.MAX_VALUE));
        limitVhost(5);
        for (long seed = 1; seed <= 200; seed++) {
            random = new Random(seed);
            List<Admission.Place> places = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                places.add(nodes.get(random.nextInt(NODES)).connection(USER, VHOST, time));
            }
            time.advanceMillis(10_000);
            assertThat(open()).as("seed %d", seed).isEqualTo(5);
            places.forEach(Admission.Place::giveBack);
        }
    }

    @Test
    void eachLimitIsRefusedInItsWordsAndFreeAgain() {
        build(ServerLimits.usual(Long.MAX_VALUE));
        limitVhost(1);
        Admission.Place first = nodes.get(0).connection(USER, VHOST, time);
        assertThat(verdict(first)).isNull();
        assertThat(verdict(nodes.get(1).connection(USER, VHOST, time)))
                .isEqualTo("access to vhost '/' refused for user 'guest': connection limit (1) is reached");
        first.giveBack();
        first.giveBack();
        assertThat(verdict(nodes.get(1).connection(USER, VHOST, time))).isNull();
        limitVhost(0);
        assertThat(verdict(nodes.get(2).connection(USER, VHOST, time)))
                .isEqualTo("access to vhost '/' refused for user 'guest': connection limit (0) is reached");
        limitVhost(-1);
        definitions.agree(new DefinitionChange.SetUserLimit(USER, "max-connections", 1L));
        assertThat(verdict(nodes.get(2).connection(USER, VHOST, time)))
                .isEqualTo("connection refused for user 'guest': user connection limit (1) is reached");
        definitions.agree(new DefinitionChange.SetUserLimit(USER, "max-channels", 2L));
        assertThat(verdict(nodes.get(0).channel(USER, VHOST, time))).isNull();
        assertThat(verdict(nodes.get(1).channel(USER, VHOST, time))).isNull();
        assertThat(verdict(nodes.get(2).channel(USER, VHOST, time)))
                .isEqualTo(
                        "number of channels opened for user 'guest' has reached the maximum allowed user limit of (2)");
    }

    @Test
    void limitsOfANodeAreItsOwn() {
        build(new ServerLimits(1, 1, 1));
        assertThat(verdict(nodes.get(0).connection(USER, VHOST, time))).isNull();
        assertThat(verdict(nodes.get(1).connection(USER, VHOST, time))).isNull();
        assertThat(verdict(nodes.get(0).connection(USER, VHOST, time)))
                .isEqualTo("connection refused: node connection limit (1) is reached");
        assertThat(verdict(nodes.get(0).channel(USER, VHOST, time))).isNull();
        assertThat(verdict(nodes.get(0).channel(USER, VHOST, time)))
                .isEqualTo("number of channels opened on this node has reached the maximum allowed limit of (1)");
    }

    @Test
    void withoutALimitNobodyIsAsked() {
        build(ServerLimits.usual(Long.MAX_VALUE));
        Admission.Place place = nodes.get(0).connection(USER, VHOST, time);
        assertThat(place.verdict().toCompletableFuture()).isCompletedWithValue(null);
    }
}
