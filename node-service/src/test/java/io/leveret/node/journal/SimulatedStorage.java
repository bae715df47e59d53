package io.leveret.node.journal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/**
 * Files in memory that forget like a disk: a crash keeps what was forced, and of the rest any pages it likes; of the changes
 * to the folder that were not synced, a random prefix. The crash itself comes after a given number of operations.
 */
final class SimulatedStorage implements FileStorage {
    /** The process died here. */
    static final class Crash extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    private static final int PAGE = 512;

    private record Write(long offset, byte[] bytes) {}

    private static final class Content {
        byte[] now = {};
        byte[] durable = {};
        final List<Write> pending = new ArrayList<>();
        long truncated = -1;

        void crash(Random random) {
            byte[] kept = durable.clone();
            boolean isTruncated = truncated >= 0 && random.nextBoolean();
            if (isTruncated && truncated < kept.length) {
                kept = Arrays.copyOf(kept, (int) truncated);
            }
            int mode = random.nextInt(3);
            for (Write write : pending) {
                for (int page = 0; page < write.bytes.length; ) {
                    long at = write.offset + page;
                    int length = (int) Math.min(write.bytes.length - page, PAGE - at % PAGE);
                    if (mode == 0 || mode == 1 && random.nextBoolean()) {
                        kept = put(kept, at, write.bytes, page, length);
                    }
                    page += length;
                }
            }
            now = kept;
            durable = kept.clone();
            pending.clear();
            truncated = -1;
        }
    }

    private static byte[] put(byte[] target, long at, byte[] bytes, int from, int length) {
        byte[] result = at + length > target.length ? Arrays.copyOf(target, (int) at + length) : target;
        System.arraycopy(bytes, from, result, (int) at, length);
        return result;
    }

    private final Random random;
    private Map<String, Content> names = new TreeMap<>();
    private Map<String, Content> durableNames = new TreeMap<>();
    /** Each a state of the folder that a crash may leave. */
    private final List<Map<String, Content>> steps = new ArrayList<>();

    private long operationsLeft = Long.MAX_VALUE;
    private boolean isFsyncBroken;
    private double fullProbability;
    private int renamesToFail;
    private String unsyncable = "";

    SimulatedStorage(Random random) {
        this.random = random;
    }

    void crashAfter(long operations) {
        operationsLeft = operations;
    }

    void failFsync() {
        isFsyncBroken = true;
    }

    void failForSpace(double probability) {
        fullProbability = probability;
    }

    /** There is no room for so many new names. */
    void failRenames(int count) {
        renamesToFail = count;
    }

    /** While there is a file of this name the folder cannot be synced, for want of space. */
    void failFolderSyncWith(String name) {
        unsyncable = name;
    }

    /** What the next process finds. */
    void restart() {
        operationsLeft = Long.MAX_VALUE;
        int kept = random.nextInt(steps.size() + 1);
        names = new TreeMap<>(kept == 0 ? durableNames : steps.get(kept - 1));
        durableNames = new TreeMap<>(names);
        steps.clear();
        names.values().forEach(each -> each.crash(random));
    }

    /** The bytes of a file, to be damaged. */
    byte[] bytes(String name) {
        return names.get(name).now;
    }

    private void operation() {
        if (operationsLeft <= 0) {
            throw new Crash();
        }
        operationsLeft--;
    }

    private void change(Runnable change) {
        operation();
        change.run();
        steps.add(new TreeMap<>(names));
    }

    @Override
    public LogFile open(String name) {
        if (!names.containsKey(name)) {
            change(() -> names.put(name, new Content()));
        }
        return new SimulatedFile(name, names.get(name));
    }

    @Override
    public List<String> list() {
        return List.copyOf(names.keySet());
    }

    @Override
    public void syncFolder() throws FsyncFailedException {
        operation();
        if (names.containsKey(unsyncable)) {
            throw new FsyncFailedException("folder", new IOException("No space left on device"));
        }
        durableNames = new TreeMap<>(names);
        steps.clear();
    }

    @Override
    public void close() {
        // Nothing is held open.
    }

    private final class SimulatedFile implements LogFile {
        private String name;
        private final Content content;

        SimulatedFile(String name, Content content) {
            this.name = name;
            this.content = content;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public int read(ByteBuffer target, long offset) {
            int count = (int) Math.max(0, Math.min(target.remaining(), content.now.length - offset));
            if (count > 0) {
                target.put(content.now, (int) offset, count);
            }
            return count;
        }

        @Override
        public void write(ByteBuffer source, long offset) throws IOException {
            operation();
            if (random.nextDouble() < fullProbability) {
                throw new IOException("No space left on device");
            }
            byte[] bytes = new byte[source.remaining()];
            source.get(bytes);
            content.now = put(content.now, offset, bytes, 0, bytes.length);
            content.pending.add(new Write(offset, bytes));
        }

        @Override
        public void force() throws IOException {
            operation();
            if (isFsyncBroken) {
                throw new IOException("Input/output error");
            }
            content.durable = content.now.clone();
            content.pending.clear();
            content.truncated = -1;
        }

        @Override
        public long size() {
            return content.now.length;
        }

        @Override
        public void truncate(long size) {
            operation();
            if (size < content.now.length) {
                content.now = Arrays.copyOf(content.now, (int) size);
                content.pending.clear();
                content.truncated = size;
            }
        }

        @Override
        public void renameTo(String newName) throws IOException {
            if (renamesToFail > 0) {
                renamesToFail--;
                throw new IOException("No space left on device");
            }
            if (names.get(name) != content || names.containsKey(newName)) {
                throw new AssertionError("renaming " + name + " to " + newName + " among " + names.keySet());
            }
            change(() -> {
                names.remove(name);
                names.put(newName, content);
            });
            name = newName;
        }

        @Override
        public void delete() {
            change(() -> names.remove(name));
        }
    }
}
