package io.leveret.node.broker.definitions;

import static org.assertj.core.api.Assertions.assertThat;

import io.leveret.model.ExchangeName;
import io.leveret.model.NodeName;
import io.leveret.model.QueueName;
import io.leveret.model.UserName;
import io.leveret.model.VhostName;
import io.leveret.model.definition.ApplyTo;
import io.leveret.model.definition.BindingDefinition;
import io.leveret.model.definition.BindingDefinition.Destination;
import io.leveret.model.definition.BindingDefinition.Kind;
import io.leveret.model.definition.ExchangeDefinition;
import io.leveret.model.definition.ParameterDefinition;
import io.leveret.model.definition.PermissionDefinition;
import io.leveret.model.definition.PolicyDefinition;
import io.leveret.model.definition.QueueDefinition;
import io.leveret.model.definition.UserDefinition;
import io.leveret.model.definition.VhostDefinition;
import io.leveret.node.broker.definitions.Outcome.RefusalKind;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DefinitionChangeTest {
    private static final VhostName V = new VhostName("/");

    private DefinitionsImage image = DefinitionsImage.EMPTY;
    private DefinitionsDelta delta = DefinitionsDelta.NONE;

    private Outcome apply(DefinitionChange change) {
        DefinitionChange.Applied applied = change.applyTo(image);
        image = applied.image();
        delta = applied.delta();
        return applied.outcome();
    }

    private void vhost() {
        apply(new DefinitionChange.PutVhost(new VhostDefinition(V, "", List.of())));
    }

    private static ExchangeName x(String name) {
        return new ExchangeName(V, name);
    }

    private static QueueName q(String name) {
        return new QueueName(V, name);
    }

    private Outcome exchange(String name, boolean isAutoDelete) {
        return apply(new DefinitionChange.DeclareExchange(
                new ExchangeDefinition(x(name), "direct", true, isAutoDelete, false, Map.of())));
    }

    private Outcome queue(String name, Map<String, Object> arguments) {
        return apply(
                new DefinitionChange.DeclareQueue(new QueueDefinition(q(name), true, false, false, arguments), null));
    }

    private static BindingDefinition binding(String source, Kind kind, String to, Map<String, Object> arguments) {
        return new BindingDefinition(x(source), new Destination(kind, to), "key", arguments);
    }

    private Outcome bind(String source, Kind kind, String to) {
        return apply(new DefinitionChange.Bind(binding(source, kind, to, Map.of())));
    }

    private static String reason(Outcome outcome) {
        return outcome.requireRefusal().reason();
    }

    @Test
    void newVhostHasThePredeclaredExchanges() {
        vhost();
        assertThat(image.exchanges(V).keySet())
                .containsExactly(
                        "", "amq.direct", "amq.fanout", "amq.headers", "amq.match", "amq.rabbitmq.trace", "amq.topic");
        assertThat(delta.vhostsCreated()).containsExactly(V);
        assertThat(apply(new DefinitionChange.PutVhost(new VhostDefinition(V, "", List.of()))))
                .isEqualTo(Outcome.UNCHANGED);
        assertThat(apply(new DefinitionChange.PutVhost(new VhostDefinition(V, "text", List.of()))))
                .isEqualTo(Outcome.UPDATED);
    }

    @Test
    void deletedVhostLeavesNothingBehind() {
        DefinitionsImage before = DefinitionsImage.EMPTY;
        UserName user = new UserName("u");
        apply(new DefinitionChange.PutUser(new UserDefinition(user, "", "", List.of())));
        before = image;
        vhost();
        apply(new DefinitionChange.PutPermission(new PermissionDefinition(user, V, ".*", ".*", ".*")));
        apply(new DefinitionChange.PutPolicy(
                new PolicyDefinition(V, "p", ".*", ApplyTo.ALL, 0, Map.of("ha-mode", "all"))));
        apply(new DefinitionChange.PutParameter(new ParameterDefinition(V, "shovel", "s", Map.of())));
        exchange("x", false);
        queue("q", Map.of());
        bind("x", Kind.QUEUE, "q");
        assertThat(apply(new DefinitionChange.DeleteVhost(V))).isEqualTo(Outcome.DELETED);
        assertThat(bytes(image)).isEqualTo(bytes(before));
        assertThat(delta.queuesDeleted()).extracting(QueueDefinition::name).containsExactly(q("q"));
        assertThat(delta.bindingsRemoved()).hasSize(1);
        assertThat(delta.policies()).containsExactly(V);
        assertThat(delta.access()).containsExactly(user);
    }

    private static byte[] bytes(DefinitionsImage image) {
        ByteWriter out = new ByteWriter();
        ImageCodec.write(out, image);
        return out.toByteArray();
    }

    @Test
    void lastUnbindDeletesAChainOfAutoDeleteExchanges() {
        vhost();
        exchange("a", true);
        exchange("b", true);
        queue("q", Map.of());
        bind("a", Kind.EXCHANGE, "b");
        bind("b", Kind.QUEUE, "q");
        assertThat(apply(new DefinitionChange.DeleteQueue(q("q")))).isEqualTo(Outcome.DELETED);
        assertThat(delta.exchangesDeleted())
                .extracting(each -> each.name().value())
                .containsExactly("b", "a");
        assertThat(image.exchange(x("a"))).isNull();
        assertThat(image.bindingsFrom(x("a"))).isEmpty();
        assertThat(image.bindingsTo(x("b"))).isEmpty();
    }

    @Test
    void exchangeBoundToItselfIsDeletedOnce() {
        vhost();
        exchange("a", true);
        bind("a", Kind.EXCHANGE, "a");
        assertThat(apply(new DefinitionChange.DeleteExchange(x("a"), false))).isEqualTo(Outcome.DELETED);
        assertThat(delta.exchangesDeleted()).hasSize(1);
        assertThat(image.bindingsTo(x("a"))).isEmpty();
    }

    @Test
    void autoDeleteExchangeStaysWhileAnotherBindingIsThere() {
        vhost();
        exchange("a", true);
        queue("q", Map.of());
        queue("r", Map.of());
        bind("a", Kind.QUEUE, "q");
        bind("a", Kind.QUEUE, "r");
        apply(new DefinitionChange.DeleteQueue(q("q")));
        assertThat(image.exchange(x("a"))).isNotNull();
    }

    @Test
    void bindingIsIdentifiedByTheValueOfItsArguments() {
        vhost();
        queue("q", Map.of());
        byte[] bytes = {1, 2};
        Map<String, Object> arguments = Map.of("b", bytes, "a", 1);
        assertThat(apply(new DefinitionChange.Bind(binding("amq.match", Kind.QUEUE, "q", arguments))))
                .isEqualTo(Outcome.CREATED);
        Map<String, Object> same = Map.of("a", 1, "b", bytes.clone());
        assertThat(apply(new DefinitionChange.Bind(binding("amq.match", Kind.QUEUE, "q", same))))
                .isEqualTo(Outcome.UNCHANGED);
        assertThat(apply(new DefinitionChange.Bind(binding("amq.match", Kind.QUEUE, "q", Map.of("a", 2)))))
                .isEqualTo(Outcome.CREATED);
        assertThat(image.bindingsTo(q("q"))).hasSize(2);
        assertThat(apply(new DefinitionChange.Unbind(binding("amq.match", Kind.QUEUE, "q", same))))
                .isEqualTo(Outcome.DELETED);
        assertThat(image.bindingsTo(q("q"))).hasSize(1);
    }

    @Test
    void redeclaringAQueueComparesWhatMatters() {
        vhost();
        queue("eq", Map.of("x-message-ttl", 1000));
        assertThat(queue("eq", Map.of("x-message-ttl", 1000L))).isEqualTo(Outcome.UNCHANGED);
        assertThat(queue("eq", Map.of("x-message-ttl", 1000, "foo", "bar"))).isEqualTo(Outcome.UNCHANGED);
        assertThat(reason(queue("eq", Map.of("x-message-ttl", 2000))))
                .isEqualTo("inequivalent arg 'x-message-ttl' for queue 'eq' in vhost '/': received '2000' but current"
                        + " is '1000'");
        assertThat(reason(queue("eq", Map.of())))
                .isEqualTo("inequivalent arg 'x-message-ttl' for queue 'eq' in vhost '/': received none but current is"
                        + " the value '1000' of type 'signedint'");
        assertThat(reason(apply(new DefinitionChange.DeclareQueue(
                        new QueueDefinition(q("eq"), false, false, true, Map.of()), null))))
                .isEqualTo("inequivalent arg 'durable' for queue 'eq' in vhost '/': received 'false' but current is"
                        + " 'true'");
    }

    @Test
    void exclusiveQueueIsLockedForOthers() {
        vhost();
        QueueDefinition definition = new QueueDefinition(q("xq"), false, true, false, Map.of());
        QueueOwner owner = new QueueOwner(new NodeName("a"), 1, 7);
        assertThat(apply(new DefinitionChange.DeclareQueue(definition, owner))).isEqualTo(Outcome.CREATED);
        assertThat(apply(new DefinitionChange.DeclareQueue(definition, owner))).isEqualTo(Outcome.UNCHANGED);
        Outcome other = apply(new DefinitionChange.DeclareQueue(definition, new QueueOwner(new NodeName("a"), 1, 8)));
        assertThat(other.requireRefusal().kind()).isEqualTo(RefusalKind.RESOURCE_LOCKED);
        assertThat(queue("xq", Map.of()).requireRefusal().kind()).isEqualTo(RefusalKind.RESOURCE_LOCKED);
        assertThat(image.owner(q("xq"))).isEqualTo(owner);
    }

    @Test
    void queuesOfAVhostAreLimited() {
        vhost();
        queue("one", Map.of());
        apply(new DefinitionChange.PutParameter(
                new ParameterDefinition(V, "vhost-limits", "limits", Map.of("max-queues", 1))));
        assertThat(queue("two", Map.of()).requireRefusal().kind()).isEqualTo(RefusalKind.PRECONDITION_FAILED);
        assertThat(queue("one", Map.of())).isEqualTo(Outcome.UNCHANGED);
        apply(new DefinitionChange.PutParameter(
                new ParameterDefinition(V, "vhost-limits", "limits", Map.of("max-queues", -1))));
        assertThat(queue("two", Map.of())).isEqualTo(Outcome.CREATED);
    }

    @Test
    void predeclaredExchangesAreProtected() {
        vhost();
        assertThat(reason(apply(new DefinitionChange.DeleteExchange(x("amq.direct"), false))))
                .isEqualTo("deletion of system exchange 'amq.direct' in vhost '/' not allowed");
        assertThat(reason(apply(new DefinitionChange.DeleteExchange(x(""), false))))
                .isEqualTo("operation not permitted on the default exchange");
        assertThat(exchange("amq.direct", false)).isEqualTo(Outcome.UNCHANGED);
        assertThat(reason(exchange("amq.mine", false)))
                .isEqualTo("exchange name 'amq.mine' contains reserved prefix 'amq.*'");
    }

    @Test
    void bindNamesTheMissingEnd() {
        vhost();
        queue("q", Map.of());
        assertThat(reason(bind("nosuchx", Kind.QUEUE, "nosuch"))).isEqualTo("no exchange 'nosuchx' in vhost '/'");
        assertThat(reason(bind("amq.direct", Kind.QUEUE, "nosuch"))).isEqualTo("no queue 'nosuch' in vhost '/'");
        assertThat(reason(bind("amq.direct", Kind.EXCHANGE, "nosuch"))).isEqualTo("no exchange 'nosuch' in vhost '/'");
        assertThat(reason(bind("", Kind.QUEUE, "q"))).isEqualTo("operation not permitted on the default exchange");
    }

    @Test
    void usedExchangeIsNotDeletedIfUnused() {
        vhost();
        exchange("x", false);
        queue("q", Map.of());
        bind("x", Kind.QUEUE, "q");
        assertThat(reason(apply(new DefinitionChange.DeleteExchange(x("x"), true))))
                .isEqualTo("exchange 'x' in vhost '/' in use");
        apply(new DefinitionChange.Unbind(binding("x", Kind.QUEUE, "q", Map.of())));
        assertThat(apply(new DefinitionChange.DeleteExchange(x("x"), true))).isEqualTo(Outcome.DELETED);
    }

    @Test
    void deletedUserLosesPermissionsAndLimits() {
        vhost();
        UserName user = new UserName("u");
        UserDefinition definition =
                new UserDefinition(user, "h", "rabbit_password_hashing_sha256", List.of("monitoring"));
        assertThat(apply(new DefinitionChange.PutPermission(new PermissionDefinition(user, V, "", "", "")))
                        .isRefused())
                .isTrue();
        assertThat(apply(new DefinitionChange.PutUser(definition))).isEqualTo(Outcome.CREATED);
        apply(new DefinitionChange.PutPermission(new PermissionDefinition(user, V, "", "", "")));
        apply(new DefinitionChange.SetUserLimit(user, "max-channels", 5L));
        assertThat(image.userLimits(user)).containsEntry("max-channels", 5L);
        apply(new DefinitionChange.DeleteUser(user));
        apply(new DefinitionChange.PutUser(definition));
        assertThat(image.permission(user, V)).isNull();
        assertThat(image.userLimits(user)).isEmpty();
    }
}
