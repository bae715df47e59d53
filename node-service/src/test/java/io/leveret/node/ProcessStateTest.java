package io.leveret.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProcessStateTest {
    private final List<Boolean> readiness = new ArrayList<>();
    private final ProcessState state = new ProcessState(readiness::add);

    @Test
    void aMajorityThatComesBackWhileTheBrokerStopsChangesNothing() {
        state.starting();
        state.running();
        state.paused(true);
        assertThat(state.name()).isEqualTo("paused");
        state.stopping();
        state.paused(false);
        assertThat(state.name()).isEqualTo("stopping");
        state.stopped();
        state.paused(true);
        assertThat(state.name()).isEqualTo("stopped");
        assertThat(readiness).containsExactly(true, false, false);
    }

    @Test
    void aMajorityThatWasLostDuringTheStartIsNotForgotten() {
        state.starting();
        state.paused(true);
        assertThat(state.name()).isEqualTo("starting");
        state.running();
        assertThat(state.name()).isEqualTo("paused");
        state.paused(false);
        assertThat(state.name()).isEqualTo("running");
        assertThat(readiness).containsExactly(false, true);
    }
}
