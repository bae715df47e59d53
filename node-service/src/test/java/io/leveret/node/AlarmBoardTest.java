package io.leveret.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.leveret.model.NodeName;
import org.junit.jupiter.api.Test;

class AlarmBoardTest {
    private static final NodeName ONE = new NodeName("one@localhost");
    private static final NodeName TWO = new NodeName("two@localhost");

    private final AlarmBoard board = new AlarmBoard();

    @Test
    void publishersAreBlockedUntilTheLastAlarmIsOver() {
        board.change(ONE, AlarmBoard.MEMORY, true);
        board.set(TWO, AlarmBoard.MEMORY);
        board.change(ONE, AlarmBoard.MEMORY, false);
        assertThat(board.reason()).isEqualTo("low on memory");
        board.set(TWO, 0);
        assertThat(board.reason()).isNull();
    }

    @Test
    void theAlarmsOfANodeThatIsGoneAreOver() {
        board.set(TWO, AlarmBoard.DISK | AlarmBoard.MEMORY);
        assertThat(board.reason()).isEqualTo("low on disk & memory");
        board.change(ONE, AlarmBoard.DISK, true);
        board.forget(TWO);
        assertThat(board.reason()).isEqualTo("low on disk");
        board.forget(ONE);
        assertThat(board.reason()).isNull();
    }

    @Test
    void oneAlarmOfANodeLeavesItsOther() {
        board.change(ONE, AlarmBoard.MEMORY, true);
        board.change(ONE, AlarmBoard.DISK, true);
        board.change(ONE, AlarmBoard.MEMORY, false);
        assertThat(board.of(ONE)).isEqualTo(AlarmBoard.DISK);
        assertThat(board.reason()).isEqualTo("low on disk");
    }
}
