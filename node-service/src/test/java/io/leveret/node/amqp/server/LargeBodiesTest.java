package io.leveret.node.amqp.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.leveret.node.runtime.ManualExecutor;
import io.leveret.node.runtime.SerialExecutor;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LargeBodiesTest {
    private static final int MIB = 1 << 20;

    private final ManualExecutor loop = new ManualExecutor();
    private final Intake intake = new Intake(Long.MAX_VALUE, Long.MAX_VALUE, () -> false);
    private final LargeBodies bodies = new LargeBodies(100 * MIB, intake, loop);
    private final List<String> heard = new ArrayList<>();

    private LargeBodies.Claim claim(String name, int mebibytes, boolean mayWait) {
        LargeBodies.Claim claim = bodies.claim((long) mebibytes * MIB, mayWait, new LargeBodies.Claimant() {
            @Override
            public SerialExecutor executor() {
                return loop;
            }

            @Override
            public void granted() {
                heard.add(name + " granted");
            }

            @Override
            public void refused() {
                heard.add(name + " refused");
            }
        });
        loop.runAll();
        return claim;
    }

    @Test
    void whatFitsIsGrantedAndTheRestWaitsInOrder() {
        LargeBodies.Claim first = claim("first", 60, true);
        claim("second", 60, true);
        claim("third", 10, true);
        assertThat(heard).containsExactly("first granted");
        first.giveBack();
        loop.runAll();
        assertThat(heard).containsExactly("first granted", "second granted", "third granted");
    }

    @Test
    void oneMayBeLargerThanAllTheRoom() {
        LargeBodies.Claim huge = claim("huge", 120, true);
        claim("next", 2, true);
        assertThat(heard).containsExactly("huge granted");
        huge.giveBack();
        loop.runAll();
        assertThat(heard).containsExactly("huge granted", "next granted");
    }

    @Test
    void whatIsPublishedAndNotAnsweredTakesRoomToo() {
        Intake.Share share = intake.share();
        share.add(90L * MIB);
        claim("one", 20, true);
        assertThat(heard).isEmpty();
        share.remove(90L * MIB);
        loop.advanceMillis(50);
        assertThat(heard).containsExactly("one granted");
    }

    @Test
    void whoMayNotWaitIsRefusedAtOnceAndOthersInTime() {
        claim("first", 100, true);
        claim("impatient", 10, false);
        assertThat(heard).containsExactly("first granted", "impatient refused");
        claim("patient", 10, true);
        loop.advanceMillis(LargeBodies.WAIT_NANOS_MAX / 1_000_000 - 1_000);
        assertThat(heard).hasSize(2);
        loop.advanceMillis(2_000);
        assertThat(heard).endsWith("patient refused");
    }

    @Test
    void aConnectionIsNotReadWhileItsBodyWaitsAndNeverWaitsForItself() {
        EmbeddedChannel socket = new EmbeddedChannel();
        ReadingGate reading = new ReadingGate(socket, new PublishWindow(intake.share()));
        AssemblyRoom room = new AssemblyRoom(bodies, loop, reading);
        LargeBodies.Claim other = claim("other", 90, true);
        AssemblyRoom.Stay first = room.enter(50 * MIB, guest("first"));
        loop.runAll();
        assertThat(reading.isReading()).isFalse();
        AssemblyRoom.Stay second = room.enter(50 * MIB, guest("second"));
        loop.runAll();
        assertThat(heard).containsExactly("other granted", "second too much");
        second.leave();
        other.giveBack();
        loop.runAll();
        assertThat(heard).endsWith("first may come");
        assertThat(reading.isReading()).isTrue();
        AssemblyRoom.Stay third = room.enter(80 * MIB, guest("third"));
        loop.runAll();
        assertThat(heard).endsWith("third too much");
        assertThat(reading.isReading()).isTrue();
        third.leave();
        first.leave();
        loop.runAll();
        room.enter(80 * MIB, guest("fourth")).leave();
        loop.runAll();
        assertThat(reading.isReading()).isTrue();
        claim("last", 100, false);
        assertThat(heard).endsWith("last granted");
    }

    @Test
    void smallBodiesOfOneConnectionAreBoundedTogether() {
        EmbeddedChannel socket = new EmbeddedChannel();
        AssemblyRoom room = new AssemblyRoom(bodies, loop, new ReadingGate(socket, new PublishWindow(intake.share())));
        claim("all", 100, true);
        for (int i = 0; i < AssemblyRoom.SMALL_BYTES_MAX / AssemblyRoom.SMALL_BODY_BYTES; i++) {
            room.enter(AssemblyRoom.SMALL_BODY_BYTES, guest("small"));
        }
        loop.runAll();
        assertThat(heard).containsExactly("all granted");
        room.enter(AssemblyRoom.SMALL_BODY_BYTES, guest("one more"));
        loop.advanceMillis(LargeBodies.WAIT_NANOS_MAX / 1_000_000 + 1_000);
        assertThat(heard).endsWith("one more too much");
    }

    private AssemblyRoom.Guest guest(String name) {
        return new AssemblyRoom.Guest() {
            @Override
            public void bodyMayCome() {
                heard.add(name + " may come");
            }

            @Override
            public void bodyIsTooMuch() {
                heard.add(name + " too much");
            }
        };
    }
}
