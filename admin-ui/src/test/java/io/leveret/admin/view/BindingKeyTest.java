package io.leveret.admin.view;

import static org.assertj.core.api.Assertions.assertThat;

import io.leveret.model.view.BindingView;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BindingKeyTest {
    @ParameterizedTest
    @CsvSource({"rk1,rk1", "slash/and space,slash%2Fand+space", "'',~", "a~b,a%7Eb", "a+b,a%2Bb"})
    void aKeyIsTheRoutingKeyFormEncoded(String routingKey, String key) {
        BindingView binding = binding(routingKey, Map.of());
        assertThat(binding.propertiesKey()).isEqualTo(key);
        assertThat(binding.isNamedBy(key)).isTrue();
        assertThat(binding.isNamedBy(routingKey.isEmpty() ? "~" : routingKey)).isTrue();
        assertThat(binding.isNamedBy("other")).isFalse();
    }

    @Test
    void argumentsTellBindingsApart() {
        BindingView one = binding("k", Map.of("a", 1));
        BindingView two = binding("k", Map.of("a", 2));
        assertThat(one.propertiesKey()).startsWith("k~").isNotEqualTo(two.propertiesKey());
        assertThat(one.isNamedBy(one.propertiesKey())).isTrue();
        assertThat(one.isNamedBy(two.propertiesKey())).isFalse();
        assertThat(one.isNamedBy("k")).isFalse();
        assertThat(binding("k", Map.of()).isNamedBy(one.propertiesKey())).isFalse();
    }

    private static BindingView binding(String routingKey, Map<String, Object> arguments) {
        return new BindingView(
                "x",
                "/",
                "q",
                BindingView.TO_QUEUE,
                routingKey,
                arguments,
                BindingView.propertiesKey(routingKey, arguments));
    }
}
