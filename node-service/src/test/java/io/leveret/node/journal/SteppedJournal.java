package io.leveret.node.journal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/** A journal on simulated files whose threads are stepped by the test. */
final class SteppedJournal {
    final SimulatedStorage storage;
    final JournalSettings settings;
    final List<String> fatal = new ArrayList<>();
    FileJournal journal;
    StreamOwner owner;
    RecoveryReport report;

    SteppedJournal(SimulatedStorage storage, JournalSettings settings) {
        this.storage = storage;
        this.settings = settings;
        start();
    }

    void start() {
        journal = new FileJournal(storage, settings, new ManualClock(), (what, cause) -> fatal.add(what));
        owner = new StreamOwner(journal);
        report = journal.recover(owner);
        journal.setReleaseOwner(owner);
    }

    void restart() {
        journal.close();
        start();
    }

    /** Writes and syncs what was appended. */
    void sync() {
        journal.commit();
        while (journal.writeStep() == 0) {
            // Each step writes a group.
        }
    }

    /** Lets the background and the owner do all there is to do. */
    void settleDown() {
        for (int quiet = 0; quiet < 20; quiet++) {
            sync();
            if (journal.backgroundStep() == 0) {
                quiet = 0;
            }
            owner.work();
            journal.readStep();
        }
    }

    /** Reads all that is live in a stream. */
    BodyCheck readAll(long stream) {
        TreeMap<Long, Long> ids = owner.live.getOrDefault(stream, new TreeMap<>());
        BodyCheck check = new BodyCheck(stream, new ArrayList<>(ids.keySet()), "read");
        journal.read(stream, ids.values().stream().mapToLong(Long::longValue).toArray(), check);
        while (journal.readStep() == 0) {
            // Each step answers a read.
        }
        assertThat(check.isFinished).isTrue();
        return check;
    }

    /** Changes a byte in the body of a message, in whichever file holds it. */
    void damage(String prefix, long stream, long id, int bodyBytes) {
        byte[] body = StreamOwner.body(stream, id, bodyBytes);
        for (String name : storage.list()) {
            byte[] bytes = storage.bytes(name);
            int at = name.startsWith(prefix) ? indexOf(bytes, body) : -1;
            if (at >= 0) {
                bytes[at + bodyBytes / 2] ^= 1;
                return;
            }
        }
        throw new AssertionError("no file " + prefix + " holds the message");
    }

    static int indexOf(byte[] bytes, byte[] wanted) {
        for (int at = 0; at + wanted.length <= bytes.length; at++) {
            int same = 0;
            while (same < wanted.length && bytes[at + same] == wanted[same]) {
                same++;
            }
            if (same == wanted.length) {
                return at;
            }
        }
        return -1;
    }
}
