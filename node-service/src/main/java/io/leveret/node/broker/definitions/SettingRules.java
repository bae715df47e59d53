package io.leveret.node.broker.definitions;

import static io.leveret.node.broker.definitions.ImageEdit.in;

import io.leveret.model.VhostName;
import io.leveret.model.definition.ParameterDefinition;
import io.leveret.model.definition.PolicyDefinition;
import io.leveret.node.broker.definitions.DefinitionChange.DeleteParameter;
import io.leveret.node.broker.definitions.DefinitionChange.PutGlobalParameter;
import io.leveret.node.broker.definitions.DefinitionsImage.ParameterKey;
import io.leveret.node.broker.definitions.Outcome.RefusalKind;

/** The rules of changes to policies and parameters. */
final class SettingRules {
    private SettingRules() {}

    static Outcome putPolicy(ImageEdit edit, PolicyDefinition policy) {
        PolicyDefinition current = in(edit.policies, policy.vhost()).get(policy.name());
        if (!edit.vhosts.containsKey(policy.vhost())) {
            return AccessRules.noVhost(policy.vhost());
        }
        if (policy.equals(current)) {
            return Outcome.UNCHANGED;
        }
        edit.policies = ImageEdit.plus(edit.policies, policy.vhost(), policy.name(), policy);
        edit.policiesChanged.add(policy.vhost());
        return current == null ? Outcome.CREATED : Outcome.UPDATED;
    }

    static Outcome deletePolicy(ImageEdit edit, VhostName vhost, String name) {
        if (!in(edit.policies, vhost).containsKey(name)) {
            return missing("policy", vhost, name);
        }
        edit.policies = ImageEdit.minus(edit.policies, vhost, name);
        edit.policiesChanged.add(vhost);
        return Outcome.DELETED;
    }

    static Outcome putOperatorPolicy(ImageEdit edit, PolicyDefinition policy) {
        PolicyDefinition current = in(edit.operatorPolicies, policy.vhost()).get(policy.name());
        if (!edit.vhosts.containsKey(policy.vhost())) {
            return AccessRules.noVhost(policy.vhost());
        }
        if (policy.equals(current)) {
            return Outcome.UNCHANGED;
        }
        edit.operatorPolicies = ImageEdit.plus(edit.operatorPolicies, policy.vhost(), policy.name(), policy);
        edit.policiesChanged.add(policy.vhost());
        return current == null ? Outcome.CREATED : Outcome.UPDATED;
    }

    static Outcome deleteOperatorPolicy(ImageEdit edit, VhostName vhost, String name) {
        if (!in(edit.operatorPolicies, vhost).containsKey(name)) {
            return missing("operator policy", vhost, name);
        }
        edit.operatorPolicies = ImageEdit.minus(edit.operatorPolicies, vhost, name);
        edit.policiesChanged.add(vhost);
        return Outcome.DELETED;
    }

    static Outcome putParameter(ImageEdit edit, ParameterDefinition parameter) {
        ParameterKey key = new ParameterKey(parameter.component(), parameter.name());
        ParameterDefinition current = in(edit.parameters, parameter.vhost()).get(key);
        if (!edit.vhosts.containsKey(parameter.vhost())) {
            return AccessRules.noVhost(parameter.vhost());
        }
        if (parameter.equals(current)) {
            return Outcome.UNCHANGED;
        }
        edit.parameters = ImageEdit.plus(edit.parameters, parameter.vhost(), key, parameter);
        edit.hasParameters = true;
        return current == null ? Outcome.CREATED : Outcome.UPDATED;
    }

    static Outcome deleteParameter(ImageEdit edit, DeleteParameter change) {
        ParameterKey key = new ParameterKey(change.component(), change.name());
        if (!in(edit.parameters, change.vhost()).containsKey(key)) {
            return missing("parameter of component '" + change.component() + "'", change.vhost(), change.name());
        }
        edit.parameters = ImageEdit.minus(edit.parameters, change.vhost(), key);
        edit.hasParameters = true;
        return Outcome.DELETED;
    }

    static Outcome putGlobalParameter(ImageEdit edit, PutGlobalParameter change) {
        Object current = edit.globalParameters.get(change.name());
        if (change.value().equals(current)) {
            return Outcome.UNCHANGED;
        }
        edit.globalParameters = edit.globalParameters.plus(change.name(), change.value());
        edit.hasParameters = true;
        return current == null ? Outcome.CREATED : Outcome.UPDATED;
    }

    static Outcome deleteGlobalParameter(ImageEdit edit, String name) {
        if (!edit.globalParameters.containsKey(name)) {
            return Outcome.refused(RefusalKind.NOT_FOUND, "no global parameter '" + name + "'");
        }
        edit.globalParameters = edit.globalParameters.minus(name);
        edit.hasParameters = true;
        return Outcome.DELETED;
    }

    private static Outcome missing(String what, VhostName vhost, String name) {
        return Outcome.refused(RefusalKind.NOT_FOUND, "no " + what + " '" + name + "' in vhost '" + vhost + "'");
    }
}
