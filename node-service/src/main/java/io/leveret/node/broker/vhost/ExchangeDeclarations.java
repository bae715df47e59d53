package io.leveret.node.broker.vhost;

import static io.leveret.node.broker.vhost.Agreement.refused;

import io.leveret.model.ExchangeName;
import io.leveret.model.definition.BindingDefinition;
import io.leveret.model.definition.BindingDefinition.Kind;
import io.leveret.model.definition.ExchangeDefinition;
import io.leveret.model.definition.PolicyKeys;
import io.leveret.node.broker.definitions.DefinitionChange;
import io.leveret.node.broker.definitions.Definitions;
import io.leveret.node.broker.definitions.DefinitionsImage;
import io.leveret.node.broker.exchange.Exchange;
import io.leveret.node.broker.message.FieldTableCodec;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Declares, deletes and binds the exchanges of one vhost. Any thread. */
final class ExchangeDeclarations {
    private static final String ON_DEFAULT = "operation not permitted on the default exchange";

    private final Definitions definitions;
    private final Agreement agreement;

    ExchangeDeclarations(Definitions definitions, Agreement agreement) {
        this.definitions = definitions;
        this.agreement = agreement;
    }

    CompletionStage<Void> declare(ExchangeDefinition asked) {
        ExchangeDefinition exchange = withoutLineBreaks(asked);
        if (!Exchange.isKnownType(exchange.type())) {
            String word = exchange.type().startsWith("x-") ? "unknown" : "invalid";
            return refused(BrokerException.Kind.COMMAND_INVALID, word + " exchange type '" + exchange.type() + "'");
        }
        if (exchange.name().value().isEmpty()) {
            return refused(BrokerException.Kind.ACCESS_REFUSED, ON_DEFAULT);
        }
        Map<String, Object> arguments = exchange.arguments();
        String alternate = PolicyKeys.ALTERNATE_EXCHANGE;
        ExchangeDefinition known = definitions.image().exchange(exchange.name());
        // With one that is there, whatever is asked is compared.
        if (known == null && arguments.containsKey(alternate) && !(arguments.get(alternate) instanceof String)) {
            return refused(
                    BrokerException.Kind.PRECONDITION_FAILED,
                    "invalid type '" + FieldTableCodec.typeName(arguments.get(alternate)) + "' for arg '" + alternate
                            + "' in exchange " + exchange.name());
        }
        if (exchange.equals(known)) {
            return done();
        }
        return agreement.on(new DefinitionChange.DeclareExchange(exchange)).thenApply(outcome -> null);
    }

    private static ExchangeDefinition withoutLineBreaks(ExchangeDefinition asked) {
        String name = Names.withoutLineBreaks(asked.name().value());
        return name.equals(asked.name().value())
                ? asked
                : new ExchangeDefinition(
                        new ExchangeName(asked.name().vhost(), name),
                        asked.type(),
                        asked.isDurable(),
                        asked.isAutoDelete(),
                        asked.isInternal(),
                        asked.arguments());
    }

    CompletionStage<Void> inspect(ExchangeName name) {
        if (name.value().isEmpty()) {
            return refused(BrokerException.Kind.ACCESS_REFUSED, ON_DEFAULT);
        }
        if (definitions.image().exchange(name) != null) {
            return done();
        }
        return definitions
                .upToDate()
                .thenCompose(image -> image.exchange(name) != null ? done() : noExchange(name))
                .exceptionallyCompose(fault -> Agreement.failed(Agreement.asRefusal(fault)));
    }

    CompletionStage<Void> delete(ExchangeName name, boolean isIfUnused) {
        return unlessMissing(agreement.on(new DefinitionChange.DeleteExchange(name, isIfUnused)));
    }

    CompletionStage<Void> bind(BindingDefinition binding) {
        DefinitionsImage image = definitions.image();
        if (image.hasBinding(binding)) {
            return done();
        }
        ExchangeDefinition source = image.exchange(binding.source());
        Optional<String> fault =
                source == null ? Optional.empty() : Exchange.bindingFault(source.type(), binding.arguments());
        if (fault.isPresent() && !isOnDefault(binding)) {
            return refused(BrokerException.Kind.PRECONDITION_FAILED, fault.get());
        }
        if (source == null && !isOnDefault(binding)) {
            // This node may be behind. Once it is not, the binding's arguments can be checked, too.
            return definitions
                    .upToDate()
                    .exceptionallyCompose(error -> Agreement.failed(Agreement.asRefusal(error)))
                    .thenCompose(now ->
                            now.exchange(binding.source()) == null ? noExchange(binding.source()) : bind(binding));
        }
        return agreement.on(new DefinitionChange.Bind(binding)).thenApply(outcome -> null);
    }

    CompletionStage<Void> unbind(BindingDefinition binding) {
        return unlessMissing(agreement.on(new DefinitionChange.Unbind(binding)));
    }

    private static boolean isOnDefault(BindingDefinition binding) {
        return binding.source().value().isEmpty()
                || (binding.destination().kind() == Kind.EXCHANGE
                        && binding.destination().name().isEmpty());
    }

    /** Taking away what is not there is no fault. */
    private static CompletionStage<Void> unlessMissing(CompletionStage<?> stage) {
        return stage.<Void>thenApply(outcome -> null).exceptionallyCompose(fault -> {
            Throwable cause = Agreement.asRefusal(fault);
            return cause instanceof BrokerException refusal && refusal.kind() == BrokerException.Kind.NOT_FOUND
                    ? done()
                    : Agreement.failed(cause);
        });
    }

    private static CompletionStage<Void> noExchange(ExchangeName name) {
        return refused(BrokerException.Kind.NOT_FOUND, "no exchange " + name);
    }

    private static CompletionStage<Void> done() {
        return CompletableFuture.completedFuture(null);
    }
}
