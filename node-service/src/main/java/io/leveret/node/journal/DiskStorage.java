package io.leveret.node.journal;

import io.leveret.node.runtime.AtomicFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Files on a disk, of which only so many are open at a time: the least recently used one that is neither in use nor has
 * unforced writes is closed, and opened again when needed. (Closing a file with unforced writes could lose the error of a
 * failed write-back, which the kernel tells to open files.)
 */
final class DiskStorage implements FileStorage {
    private static final Logger LOG = LoggerFactory.getLogger(DiskStorage.class);

    /** The JDK copies what is in the heap into memory of its own, as much as is given at once, and keeps that. */
    private static final int SLICE_BYTES = 1 << 20;

    private final Path folder;
    private final int openFilesMax;
    private final ReentrantLock lock = new ReentrantLock();
    /** Open files, least recently used first. */
    private final LinkedHashSet<DiskFile> open = new LinkedHashSet<>();

    DiskStorage(Path folder, int openFilesMax) throws IOException {
        this.folder = Files.createDirectories(folder);
        this.openFilesMax = openFilesMax;
    }

    @Override
    public LogFile open(String name) throws IOException {
        DiskFile file = new DiskFile(name);
        file.release(file.acquire());
        return file;
    }

    @Override
    public List<String> list() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(each -> each.getFileName().toString()).sorted().toList();
        }
    }

    @Override
    public void syncFolder() throws FsyncFailedException {
        try {
            AtomicFile.fsyncFolder(folder);
        } catch (IOException e) {
            throw new FsyncFailedException(folder.toString(), e);
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            for (DiskFile file : List.copyOf(open)) {
                file.closeChannel();
            }
        } finally {
            lock.unlock();
        }
    }

    /** How many files are open now. */
    int openFiles() {
        lock.lock();
        try {
            return open.size();
        } finally {
            lock.unlock();
        }
    }

    /** Inside the lock. */
    private void closeLeastUsed() {
        Iterator<DiskFile> candidates = open.iterator();
        while (open.size() > openFilesMax && candidates.hasNext()) {
            DiskFile candidate = candidates.next();
            if (candidate.users == 0 && !candidate.isDirty) {
                candidates.remove();
                candidate.closeQuietly();
            }
        }
    }

    private final class DiskFile implements LogFile {
        private String name;
        private @Nullable FileChannel channel;
        private int users;
        private volatile boolean isDirty;

        DiskFile(String name) {
            this.name = name;
        }

        private FileChannel acquire() throws IOException {
            lock.lock();
            try {
                FileChannel now = channel;
                if (now == null) {
                    now = FileChannel.open(
                            folder.resolve(name),
                            StandardOpenOption.CREATE,
                            StandardOpenOption.READ,
                            StandardOpenOption.WRITE);
                    channel = now;
                }
                users++;
                open.remove(this);
                open.add(this);
                closeLeastUsed();
                return now;
            } finally {
                lock.unlock();
            }
        }

        private void release(FileChannel used) {
            lock.lock();
            try {
                if (used.isOpen()) {
                    users--;
                }
            } finally {
                lock.unlock();
            }
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public int read(ByteBuffer target, long offset) throws IOException {
            FileChannel file = acquire();
            try {
                int total = 0;
                int end = target.limit();
                while (target.position() < end) {
                    target.limit(Math.min(end, target.position() + SLICE_BYTES));
                    int count = file.read(target, offset + total);
                    if (count < 0) {
                        break;
                    }
                    total += count;
                }
                target.limit(end);
                return total;
            } finally {
                release(file);
            }
        }

        @Override
        public void write(ByteBuffer source, long offset) throws IOException {
            FileChannel file = acquire();
            try {
                isDirty = true;
                long at = offset;
                int end = source.limit();
                while (source.position() < end) {
                    source.limit(Math.min(end, source.position() + SLICE_BYTES));
                    at += file.write(source, at);
                }
            } finally {
                release(file);
            }
        }

        @Override
        public void force() throws IOException {
            FileChannel file = acquire();
            try {
                file.force(false);
                isDirty = false;
            } finally {
                release(file);
            }
        }

        @Override
        public long size() throws IOException {
            FileChannel file = acquire();
            try {
                return file.size();
            } finally {
                release(file);
            }
        }

        @Override
        public void truncate(long size) throws IOException {
            FileChannel file = acquire();
            try {
                isDirty = true;
                file.truncate(size);
            } finally {
                release(file);
            }
        }

        @Override
        public void renameTo(String newName) throws IOException {
            lock.lock();
            try {
                Files.move(folder.resolve(name), folder.resolve(newName), StandardCopyOption.ATOMIC_MOVE);
                name = newName;
            } finally {
                lock.unlock();
            }
        }

        @Override
        public void delete() throws IOException {
            lock.lock();
            try {
                closeChannel();
                Files.deleteIfExists(folder.resolve(name));
            } finally {
                lock.unlock();
            }
        }

        /** Inside the lock. */
        private void closeChannel() {
            open.remove(this);
            closeQuietly();
        }

        private void closeQuietly() {
            FileChannel closing = channel;
            channel = null;
            users = 0;
            isDirty = false;
            if (closing != null) {
                try {
                    closing.close();
                } catch (IOException e) {
                    LOG.warn("cannot close {}", name, e);
                }
            }
        }
    }
}
