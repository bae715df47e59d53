package io.leveret.node.broker.definitions;

import io.leveret.model.ExchangeName;
import io.leveret.model.QueueName;
import io.leveret.model.UserName;
import io.leveret.model.VhostName;
import io.leveret.model.definition.BindingDefinition;
import io.leveret.model.definition.ExchangeDefinition;
import io.leveret.model.definition.ParameterDefinition;
import io.leveret.model.definition.PermissionDefinition;
import io.leveret.model.definition.PolicyDefinition;
import io.leveret.model.definition.QueueDefinition;
import io.leveret.model.definition.TopicPermissionDefinition;
import io.leveret.model.definition.UserDefinition;
import io.leveret.model.definition.VhostDefinition;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One edit of the definitions. Pure: the same change on the same image gives the same result on every node. What needs more
 * than the image to decide (permissions of the caller, whether a queue is empty) is checked by the proposer.
 */
public sealed interface DefinitionChange {
    /** The next image, what became of the change, and what differs. */
    default Applied applyTo(DefinitionsImage image) {
        ImageEdit edit = new ImageEdit(image);
        Outcome outcome = perform(edit);
        boolean isSame = outcome.isRefused() || outcome.kind() == Outcome.Kind.UNCHANGED;
        return isSame
                ? new Applied(image, outcome, DefinitionsDelta.NONE)
                : new Applied(edit.image(), outcome, edit.delta());
    }

    /** Checks, then edits; edits nothing when it refuses or finds all as asked. */
    Outcome perform(ImageEdit edit);

    /** The result of a change. */
    record Applied(DefinitionsImage image, Outcome outcome, DefinitionsDelta delta) {}

    /** Creates a vhost with its predeclared exchanges, or changes its description and tags. */
    record PutVhost(VhostDefinition vhost) implements DefinitionChange {
        @Override
        public Outcome perform(ImageEdit edit) {
            return AccessRules.putVhost(edit, vhost);
        }
    }

    /** Deletes a vhost and all that is in it. */
    record DeleteVhost(VhostName vhost) implements DefinitionChange {
        @Override
        public Outcome perform(ImageEdit edit) {
            return AccessRules.deleteVhost(edit, vhost);
        }
    }

    /** Creates a user or replaces password and tags. */
    record PutUser(UserDefinition user) implements DefinitionChange {
        @Override
        public Outcome perform(ImageEdit edit) {
            return AccessRules.putUser(edit, user);
        }
    }

    /** Deletes a user with permissions, topic permissions and limits. */
    record DeleteUser(UserName user) implements DefinitionChange {
        @Override
        public Outcome perform(ImageEdit edit) {
            return AccessRules.deleteUser(edit, user);
        }
    }

    /** Sets or, with a null value, clears one limit of a user. */
    record SetUserLimit(
            UserName user, String limit, @Nullable Long value) implements DefinitionChange {
        @Override
        public Outcome perform(ImageEdit edit) {
            return AccessRules.setUserLimit(edit, this);
        }
    }

    /** Grants, or replaces, a user's permissions in a vhost. */
    record PutPermission(PermissionDefinition permission) implements DefinitionChange {
        @Override
        public Outcome perform(ImageEdit edit) {
            return AccessRules.putPermission(edit, permission);
        }
    }

    /** Takes a user's permissions in a vhost away. */
    record DeletePermission(UserName user, VhostName vhost) implements DefinitionChange {
        @Override
        public Outcome perform(ImageEdit edit) {
            return AccessRules.deletePermission(edit, this);
        }
    }

    /** Restricts a user on one topic exchange of a vhost. */
    record PutTopicPermission(TopicPermissionDefinition permission) implements DefinitionChange {
        @Override
        public Outcome perform(ImageEdit edit) {
            return AccessRules.putTopicPermission(edit, permission);
        }
    }

    /** Lifts the restriction on one topic exchange, or with null on all of the vhost. */
    record DeleteTopicPermission(
            UserName user, VhostName vhost, @Nullable String exchange) implements DefinitionChange {
        @Override
        public Outcome perform(ImageEdit edit) {
            return AccessRules.deleteTopicPermission(edit, this);
        }
    }

    /** Creates or replaces a policy. It was validated where it came from. */
    record PutPolicy(PolicyDefinition policy) implements DefinitionChange {
        @Override
        public Outcome perform(ImageEdit edit) {
            return SettingRules.putPolicy(edit, policy);
        }
    }

    /** Deletes a policy. */
    record DeletePolicy(VhostName vhost, String name) implements DefinitionChange {
        @Override
        public Outcome perform(ImageEdit edit) {
            return SettingRules.deletePolicy(edit, vhost, name);
        }
    }

    /** Creates or replaces an operator policy. */
    record PutOperatorPolicy(PolicyDefinition policy) implements DefinitionChange {
        @Override
        public Outcome perform(ImageEdit edit) {
            return SettingRules.putOperatorPolicy(edit, policy);
        }
    }

    /** Deletes an operator policy. */
    record DeleteOperatorPolicy(VhostName vhost, String name) implements DefinitionChange {
        @Override
        public Outcome perform(ImageEdit edit) {
            return SettingRules.deleteOperatorPolicy(edit, vhost, name);
        }
    }

    /** Creates or replaces a parameter of a vhost. */
    record PutParameter(ParameterDefinition parameter) implements DefinitionChange {
        @Override
        public Outcome perform(ImageEdit edit) {
            return SettingRules.putParameter(edit, parameter);
        }
    }

    /** Deletes a parameter of a vhost. */
    record DeleteParameter(VhostName vhost, String component, String name) implements DefinitionChange {
        @Override
        public Outcome perform(ImageEdit edit) {
            return SettingRules.deleteParameter(edit, this);
        }
    }

    /** Creates or replaces a parameter of the cluster; the value is a JSON value. */
    record PutGlobalParameter(String name, Object value) implements DefinitionChange {
        @Override
        public Outcome perform(ImageEdit edit) {
            return SettingRules.putGlobalParameter(edit, this);
        }
    }

    /** Deletes a parameter of the cluster. */
    record DeleteGlobalParameter(String name) implements DefinitionChange {
        @Override
        public Outcome perform(ImageEdit edit) {
            return SettingRules.deleteGlobalParameter(edit, name);
        }
    }

    /** Declares an exchange; unchanged when one with these properties exists. */
    record DeclareExchange(ExchangeDefinition exchange) implements DefinitionChange {
        @Override
        public Outcome perform(ImageEdit edit) {
            return TopologyRules.declareExchange(edit, exchange);
        }
    }

    /** Deletes an exchange with its bindings; with {@code ifUnused} only when nothing is bound to it. */
    record DeleteExchange(ExchangeName exchange, boolean ifUnused) implements DefinitionChange {
        @Override
        public Outcome perform(ImageEdit edit) {
            return TopologyRules.deleteExchange(edit, this);
        }
    }

    /** Adds a binding; both of its ends must exist. */
    record Bind(BindingDefinition binding) implements DefinitionChange {
        @Override
        public Outcome perform(ImageEdit edit) {
            return TopologyRules.bind(edit, binding);
        }
    }

    /** Removes a binding; unchanged when there is none. */
    record Unbind(BindingDefinition binding) implements DefinitionChange {
        @Override
        public Outcome perform(ImageEdit edit) {
            return TopologyRules.unbind(edit, binding);
        }
    }

    /**
     * Declares a queue; unchanged when one with these properties, and the same owner, exists.
     *
     * @param owner the connection of an exclusive queue, else null
     */
    record DeclareQueue(QueueDefinition queue, @Nullable QueueOwner owner) implements DefinitionChange {
        public DeclareQueue {
            if (queue.isExclusive() != (owner != null)) {
                throw new IllegalArgumentException("an exclusive queue has an owner, another has none");
            }
        }

        @Override
        public Outcome perform(ImageEdit edit) {
            return TopologyRules.declareQueue(edit, this);
        }
    }

    /** Deletes a queue and the bindings to it. */
    record DeleteQueue(QueueName queue) implements DefinitionChange {
        @Override
        public Outcome perform(ImageEdit edit) {
            return TopologyRules.deleteQueue(edit, queue);
        }
    }

    /** Deletes what did not outlive its nodes; what is not there is skipped. Never proposed: part of a larger command. */
    record DeleteLost(List<QueueName> queues, List<ExchangeName> exchanges) implements DefinitionChange {
        @Override
        public Outcome perform(ImageEdit edit) {
            queues.forEach(edit::deleteQueue);
            exchanges.forEach(edit::deleteExchange);
            return Outcome.DELETED;
        }
    }
}
