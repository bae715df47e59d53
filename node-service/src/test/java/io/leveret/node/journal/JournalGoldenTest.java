package io.leveret.node.journal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * The bytes of docs/formats.md: what is written today is what was written when the format was fixed, and that can be read.
 * The golden file has a line for each file of the journal: its name, then its bytes in hexadecimal.
 */
class JournalGoldenTest {
    private static final int BODY = 100;

    private static SteppedJournal write() {
        SteppedJournal world = new SteppedJournal(
                new SimulatedStorage(new Random(1)), new JournalSettings(4096, 1, 4096, 1 << 20, 4096, 1 << 30, 1000));
        for (long id = 1; id <= 50; id++) {
            world.owner.publish(7, id, BODY);
            if (id > 5) {
                world.owner.settle(7, id - 4);
            }
            if (id == 10 || id == 45) {
                world.owner.publish(8, id, BODY);
            }
            if (id == 30) {
                world.owner.drop(8);
            }
            world.sync();
        }
        world.settleDown();
        return world;
    }

    private static Map<String, String> files(SimulatedStorage storage) {
        Map<String, String> files = new TreeMap<>();
        for (String name : storage.list()) {
            if (!name.startsWith("spare-") && !name.startsWith("fresh-")) {
                byte[] bytes = storage.bytes(name);
                int end = bytes.length;
                while (end > 0 && bytes[end - 1] == 0) {
                    end--;
                }
                files.put(name, HexFormat.of().formatHex(Arrays.copyOf(bytes, end + 7 & ~7)));
            }
        }
        return files;
    }

    private static Map<String, String> golden() {
        try (InputStream in = JournalGoldenTest.class.getResourceAsStream("/golden/journal-v1.txt")) {
            Map<String, String> files = new TreeMap<>();
            new String(in.readAllBytes(), StandardCharsets.US_ASCII)
                    .lines()
                    .forEach(line -> files.put(line.split(" ")[0], line.split(" ")[1]));
            return files;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void whatIsWrittenIsWhatWasFixed() {
        Map<String, String> written = files(write().storage);
        assertThat(written.keySet()).anyMatch(each -> each.startsWith("segment-"));
        assertThat(written).isEqualTo(golden());
    }

    @Test
    void whatWasFixedCanBeRead() throws Exception {
        SimulatedStorage storage = new SimulatedStorage(new Random(1));
        for (Map.Entry<String, String> each : golden().entrySet()) {
            storage.open(each.getKey()).write(ByteBuffer.wrap(HexFormat.of().parseHex(each.getValue())), 0);
        }
        SteppedJournal world =
                new SteppedJournal(storage, new JournalSettings(4096, 1, 4096, 1 << 20, 4096, 1 << 30, 1000));

        assertThat(world.report.damagedStreams()).isZero();
        assertThat(world.owner.missing()).isZero();
        assertThat(world.owner.live.get(7L)).containsOnlyKeys(1L, 47L, 48L, 49L, 50L);
        assertThat(world.owner.live.get(8L)).containsOnlyKeys(45L);
        assertThat(world.readAll(7).seen).isEqualTo(5);
        assertThat(world.readAll(8).seen).isOne();
    }

    @Test
    void anotherVersionIsRefused() throws Exception {
        SimulatedStorage storage = write().storage;
        String log = storage.list().stream()
                .filter(each -> each.startsWith("log-"))
                .findFirst()
                .orElseThrow();
        // Version 2, with the checksum that belongs to it.
        byte[] header = Arrays.copyOf(storage.bytes(log), LogFileHeader.BYTES);
        ByteBuffer changed = ByteBuffer.wrap(header).putInt(8, 2).putInt(12, 0);
        java.util.zip.CRC32C crc = new java.util.zip.CRC32C();
        crc.update(header);
        changed.putInt(12, (int) crc.getValue());
        storage.open(log).write(changed.rewind(), 0);

        org.assertj.core.api.Assertions.assertThatThrownBy(() -> new SteppedJournal(storage, JournalSettings.small()))
                .hasRootCauseMessage(log + " has format version 2, this is 1");
    }

    /** Writes the golden file anew, by hand, when a new version of the format is made. */
    public static void main(String[] args) {
        files(write().storage).forEach((name, bytes) -> System.out.println(name + " " + bytes));
    }
}
