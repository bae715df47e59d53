package io.leveret.node.journal;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Bytes change on the disk: who is told, and who goes on. */
class JournalDamageTest {
    private static final int BODY = 200;
    private static final int PER_STREAM = 8;

    private final SimulatedStorage storage = new SimulatedStorage(new Random(7));
    private final SteppedJournal world =
            new SteppedJournal(storage, new JournalSettings(8192, 4, 8192, 1 << 20, 16384, 1 << 30, 1000));

    private void publish(long stream) {
        for (long id = 1; id <= PER_STREAM; id++) {
            world.owner.publish(stream, id, BODY);
        }
        world.sync();
    }

    private void fillLog(int files) {
        long id = 1;
        long target = world.journal.statistics().logFiles() + files;
        while (world.journal.statistics().logFiles() < target) {
            world.owner.publish(99, id++, BODY);
            world.sync();
        }
    }

    @Test
    void damageInACompleteLogFileQuarantinesOnlyTheStreamsOfTheStretch() {
        publish(1);
        publish(2);
        publish(3);
        fillLog(1);
        world.damage("log-", 2, 3, BODY);

        world.restart();

        assertThat(world.report.isWholeDamaged()).isFalse();
        assertThat(world.owner.damaged).containsOnlyKeys(2L);
        assertThat(world.readAll(1).seen).isEqualTo(PER_STREAM);
        assertThat(world.readAll(3).seen).isEqualTo(PER_STREAM);
    }

    @Test
    void aDroppedStreamIsNotDamagedAtTheNextStart() {
        publish(1);
        publish(2);
        fillLog(1);
        world.damage("log-", 2, 3, BODY);
        world.restart();
        world.owner.drop(2);
        publish(2);

        world.restart();

        assertThat(world.report.damagedStreams()).isOne();
        assertThat(world.owner.damaged).as("damaged and not dropped since").isEmpty();
        assertThat(world.readAll(2).seen).isEqualTo(PER_STREAM);
    }

    @Test
    void theDamagedFileIsReleasedFirst() {
        publish(1);
        publish(2);
        fillLog(1);
        world.damage("log-", 2, 3, BODY);
        world.restart();
        world.owner.drop(2);
        world.settleDown();

        world.restart();

        assertThat(world.report.damagedStreams()).isZero();
        assertThat(world.readAll(1).seen).isEqualTo(PER_STREAM);
    }

    @Test
    void damageThatCannotBeToldWhoseItIsCountsForAll() {
        publish(1);
        publish(2);
        publish(3);
        // In the newest file, which has no footer, and below what a later mark says was durable.
        world.damage("log-", 1, 3, BODY);

        world.restart();

        assertThat(world.report.isWholeDamaged()).isTrue();
        assertThat(world.owner.damaged).containsOnlyKeys(1L, 2L, 3L);
    }

    @Test
    void aTornTailIsCutWithoutDamage() {
        publish(1);
        publish(2);
        world.owner.publish(2, PER_STREAM + 1, BODY);
        world.sync();
        world.damage("log-", 2, PER_STREAM + 1, BODY);

        // Without the mark that a close writes: the process was killed.
        world.start();

        assertThat(world.report.damagedStreams()).isZero();
        assertThat(world.readAll(1).seen).isEqualTo(PER_STREAM);
        assertThat(world.readAll(2).seen).isEqualTo(PER_STREAM);
    }

    @Test
    void damageOfWhatWasWrittenLastIsFoundAfterAnOrderlyStop() {
        publish(1);
        world.journal.close();
        world.damage("log-", 1, PER_STREAM, BODY);

        world.start();

        assertThat(world.report.isWholeDamaged()).isTrue();
    }

    @Test
    void aDamagedCheckpointQuarantinesItsStream() {
        publish(1);
        publish(2);
        fillLog(6);
        world.settleDown();
        byte[] manifest = storage.bytes("manifest-0000000000000001");
        ByteBuffer state = ByteBuffer.allocate(8 * PER_STREAM);
        for (long id = 1; id <= PER_STREAM; id++) {
            state.putLong(id);
        }
        manifest[SteppedJournal.indexOf(manifest, state.array()) + 9] ^= 4;

        world.restart();

        assertThat(world.report.isWholeDamaged()).isFalse();
        assertThat(world.owner.damaged).containsOnlyKeys(1L);
        assertThat(world.readAll(2).seen).isEqualTo(PER_STREAM);
        assertThat(world.readAll(99).seen).isPositive();
    }

    @Test
    void aDamagedManifestHeadIsDamageOfAll() {
        publish(1);
        fillLog(6);
        world.settleDown();
        storage.bytes("manifest-0000000000000001")[LogFileHeader.BYTES + 4] ^= 4;

        world.restart();

        assertThat(world.report.isWholeDamaged()).isTrue();
        assertThat(world.owner.damaged).containsKey(99L);
    }

    @Test
    void aManifestWhoseNameMayNotLastEndsTheNode() {
        publish(1);
        fillLog(6);
        world.settleDown();
        storage.bytes("manifest-0000000000000001")[LogFileHeader.BYTES + 4] ^= 4;
        world.restart();
        // It is written anew by the next release.
        storage.failFolderSyncWith("manifest-0000000000000002");
        fillLog(6);
        world.settleDown();

        assertThat(world.fatal).containsExactly("journal: fsync of folder failed");
    }

    @Test
    void aDamagedIndexIsMadeGoodFromTheSegment() {
        publish(1);
        publish(2);
        fillLog(6);
        world.settleDown();
        int live = world.owner.live.get(99L).size();
        byte[] index = storage.bytes("index-0000000000000001");
        index[index.length / 2] ^= 4;

        world.restart();

        assertThat(world.report.damagedStreams()).isZero();
        assertThat(world.owner.missing()).isZero();
        assertThat(world.readAll(1).seen).isEqualTo(PER_STREAM);
        assertThat(world.readAll(2).seen).isEqualTo(PER_STREAM);
        assertThat(world.readAll(99).seen).isEqualTo(live);
    }

    @Test
    void aDamagedRecordInASegmentIsReportedWhenItIsRead() {
        publish(1);
        fillLog(6);
        world.settleDown();
        world.damage("segment-", 1, 2, BODY);
        List<Integer> damaged = new ArrayList<>();
        List<Integer> read = new ArrayList<>();
        long[] positions = world.owner.live.get(1L).values().stream()
                .mapToLong(Long::longValue)
                .toArray();
        assertThat(Arrays.stream(positions)).allMatch(Journal::isInSegment);

        world.journal.read(1, positions, new ReadCallback() {
            @Override
            public void record(int index, int type, ByteBuffer payload) {
                read.add(index);
            }

            @Override
            public void damaged(int index, String why) {
                damaged.add(index);
            }

            @Override
            public void finished() {
                read.add(-1);
            }
        });
        world.journal.readStep();

        assertThat(damaged).containsExactly(1);
        assertThat(read).containsExactly(0, 2, 3, 4, 5, 6, 7, -1);
    }

    @Test
    void aRecordDamagedInTheLogIsMovedToNowhere() {
        publish(1);
        world.damage("log-", 1, 2, BODY);
        fillLog(6);
        world.settleDown();

        assertThat(world.owner.live.get(1L).get(2L)).isEqualTo(Journal.NOWHERE);
        assertThat(world.owner.live.get(1L).get(3L)).matches(Journal::isInSegment);
    }

    @Test
    void aMissingLogFileIsDamageOfAll() throws Exception {
        publish(1);
        fillLog(3);
        world.journal.close();
        storage.open("log-0000000000000002").delete();

        world.start();

        assertThat(world.report.isWholeDamaged()).isTrue();
        assertThat(world.owner.damaged).containsKey(1L);
    }

    @Test
    void aMissingLogIsDamageOfAll() throws Exception {
        publish(1);
        fillLog(6);
        world.settleDown();
        world.journal.close();
        for (String name : storage.list()) {
            if (name.startsWith("log-")) {
                storage.open(name).delete();
            }
        }

        world.start();

        assertThat(world.report.isWholeDamaged()).isTrue();
        assertThat(world.owner.damaged).containsKeys(1L, 99L);
    }

    @Test
    void damageOfAllIsNotFoundAgainWhenItsFilesWereReleased() throws Exception {
        publish(1);
        fillLog(3);
        world.journal.close();
        storage.open("log-0000000000000002").delete();
        world.start();
        world.owner.drop(1);
        world.owner.drop(99);
        publish(1);
        world.settleDown();

        world.restart();

        assertThat(world.report.isWholeDamaged()).isFalse();
        assertThat(world.owner.damaged).isEmpty();
        assertThat(world.readAll(1).seen).isEqualTo(PER_STREAM);
    }

    @Test
    void aFailedFsyncIsFatalAndPromisesNothing() {
        publish(1);
        long durable = world.journal.durablePosition();
        storage.failFsync();
        world.owner.publish(1, PER_STREAM + 1, BODY);
        world.journal.commit();
        world.journal.writeStep();

        assertThat(world.fatal).hasSize(1);
        assertThat(world.journal.durablePosition()).isEqualTo(durable);
        assertThat(world.journal.isCongested()).isTrue();
    }
}
