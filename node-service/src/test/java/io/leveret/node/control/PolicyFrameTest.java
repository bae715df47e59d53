package io.leveret.node.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leveret.model.VhostName;
import io.leveret.model.definition.ApplyTo;
import io.leveret.model.definition.PolicyDefinition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.json.JsonMapper;

/** The fields around a policy's definition: which types they take, and the words of a refusal. */
class PolicyFrameTest {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    @Test
    void priorityAndApplyToHaveDefaults() {
        PolicyDefinition policy = policy("");
        assertThat(policy.priority()).isZero();
        assertThat(policy.applyTo()).isEqualTo(ApplyTo.ALL);
    }

    @ParameterizedTest
    @CsvSource({"990,990", "-5,-5", "2.5,2", "-2.5,-2"})
    void everyNumberIsAPriority(String given, int taken) {
        assertThat(policy(",\"priority\":" + given).priority()).isEqualTo(taken);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\u0001',
            value = {
                ",\"priority\":\"5\"    | priority should be a number, actually was <<\"5\">>",
                ",\"priority\":true     | priority should be a number, actually was true",
                ",\"priority\":null     | priority should be a number, actually was null",
                ",\"priority\":1e300    | priority should be a number, actually was",
                ",\"apply-to\":\"queue\"| apply-to 'queue' unrecognised; should be 'queues', 'exchanges' or 'all'",
                ",\"apply-to\":null     | apply-to 'null' unrecognised; should be 'queues', 'exchanges' or 'all'",
                ",\"apply-to\":5        | apply-to '5' unrecognised; should be 'queues', 'exchanges' or 'all'",
                ",\"pattern\":5         | pattern should be a binary but was 5",
                ",\"pattern\":null      | pattern should be a binary but was null",
                ",\"definition\":[]     | definition should be an object, actually was []",
                ",\"definition\":\"x\"  | definition should be an object, actually was \"x\"",
            })
    void whatIsNotIsRefusedInWordsThatUsersKnow(String fields, String sentence) {
        assertThatThrownBy(() -> policy(fields))
                .isInstanceOf(ControlRefusal.class)
                .hasMessageContaining(sentence);
    }

    private static PolicyDefinition policy(String fields) {
        String json = "{\"pattern\":\"^x\",\"definition\":{\"max-length\":1}" + fields + "}";
        return PolicyResource.definition(new VhostName("/"), "p", JSON.readTree(json), false);
    }
}
