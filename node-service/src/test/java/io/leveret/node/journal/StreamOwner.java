package io.leveret.node.journal;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * A small owner of streams: publishes and settles numbered messages, and follows the duties of {@link ReleaseOwner} and
 * {@link RecoveryVisitor} as a queue does. Bodies are made of (stream, id), so that each can be checked.
 */
final class StreamOwner implements ReleaseOwner, RecoveryVisitor {
    static final int PUBLISHED = 1;
    static final int SETTLED = 2;
    private static final byte[] NOTHING = {};

    final Map<Long, TreeMap<Long, Long>> live = new TreeMap<>();
    /** Ids live in a checkpoint whose record has not been seen yet. */
    final Map<Long, Set<Long>> wanted = new HashMap<>();

    final Queue<Runnable> inbox = new ConcurrentLinkedQueue<>();
    final Map<Long, String> damaged = new HashMap<>();
    private final Map<Long, Map<Long, Integer>> sizes = new HashMap<>();
    Journal journal;

    StreamOwner(Journal journal) {
        this.journal = journal;
    }

    // ---- acting

    void work() {
        for (Runnable task = inbox.poll(); task != null; task = inbox.poll()) {
            task.run();
        }
    }

    long publish(long stream, long id, int bodyBytes) {
        ByteBuffer head = ByteBuffer.allocate(12).putLong(id).putInt(bodyBytes).flip();
        long position = journal.append(stream, PUBLISHED, 12, head, body(stream, id, bodyBytes), NOTHING);
        live.computeIfAbsent(stream, key -> new TreeMap<>()).put(id, position);
        note(stream, id, bodyBytes);
        return position;
    }

    long settle(long stream, long id) {
        long position = journal.append(
                stream, SETTLED, 0, ByteBuffer.allocate(8).putLong(id).flip());
        Long was = live.get(stream).remove(id);
        journal.discard(stream, was);
        return position;
    }

    void drop(long stream) {
        journal.drop(stream);
        live.remove(stream);
    }

    private void note(long stream, long id, int bodyBytes) {
        sizes.computeIfAbsent(stream, key -> new HashMap<>()).put(id, bodyBytes);
    }

    static byte[] body(long stream, long id, int bytes) {
        byte[] body = new byte[bytes];
        new Random(stream * 31 + id).nextBytes(body);
        return body;
    }

    /** One number for all that is live, whatever the order. */
    long fingerprint() {
        long sum = 0;
        for (Map.Entry<Long, TreeMap<Long, Long>> stream : live.entrySet()) {
            for (Long id : stream.getValue().keySet()) {
                sum += fingerprint(
                        stream.getKey(), id, sizes.get(stream.getKey()).get(id));
            }
        }
        return sum;
    }

    private static long fingerprint(long stream, long id, int bodyBytes) {
        long mixed = (stream * 0x9E3779B97F4A7C15L + id * 31 + bodyBytes) * 0xBF58476D1CE4E5B9L;
        return (mixed ^ mixed >>> 29) * 0x94D049BB133111EBL;
    }

    // ---- ReleaseOwner

    @Override
    public void release(Release release) {
        inbox.add(() -> {
            TreeMap<Long, Long> ids = live.get(release.stream());
            if (ids == null) {
                release.forget();
                return;
            }
            long[] inRange = ids.values().stream()
                    .mapToLong(Long::longValue)
                    .filter(release::covers)
                    .toArray();
            ByteBuffer state = ByteBuffer.allocate(ids.size() * 8);
            ids.keySet().forEach(state::putLong);
            release.answer(inRange, state.array());
        });
    }

    @Override
    public void moved(long stream, long[] from, long[] to, Runnable done) {
        inbox.add(() -> {
            TreeMap<Long, Long> ids = live.getOrDefault(stream, new TreeMap<>());
            Map<Long, Long> target = new HashMap<>();
            for (int i = 0; i < from.length; i++) {
                target.put(from[i], to[i]);
            }
            ids.replaceAll((id, position) -> {
                Long moved = target.remove(position);
                return moved == null ? position : moved;
            });
            // What is left was settled in the meantime.
            target.values().forEach(each -> journal.discard(stream, each));
            done.run();
        });
    }

    // ---- RecoveryVisitor

    @Override
    public void checkpoint(long stream, ByteBuffer state) {
        Set<Long> ids = new HashSet<>();
        while (state.hasRemaining()) {
            ids.add(state.getLong());
        }
        live.put(stream, new TreeMap<>());
        wanted.put(stream, ids);
    }

    @Override
    public boolean stored(long stream, long position, int type, ByteBuffer meta, int payloadBytes) {
        long id = meta.getLong();
        int bodyBytes = meta.getInt();
        if (payloadBytes != 12 + bodyBytes) {
            throw new AssertionError("index and record differ");
        }
        if (wanted.getOrDefault(stream, Set.of()).remove(id)) {
            live.get(stream).put(id, position);
            note(stream, id, bodyBytes);
            return true;
        }
        return false;
    }

    @Override
    public void record(long stream, long position, int type, ByteBuffer payload) {
        TreeMap<Long, Long> ids = live.computeIfAbsent(stream, key -> new TreeMap<>());
        long id = payload.getLong();
        if (type == PUBLISHED) {
            ids.put(id, position);
            note(stream, id, payload.getInt());
        } else if (ids.remove(id) == null) {
            throw new AssertionError("stream " + stream + " settles " + id + ", which it does not have");
        }
    }

    @Override
    public void dropped(long stream) {
        live.remove(stream);
        wanted.remove(stream);
        damaged.remove(stream);
    }

    @Override
    public void damaged(long stream, String why) {
        live.remove(stream);
        wanted.remove(stream);
        damaged.put(stream, why);
    }

    /** After a recovery: ids that a checkpoint promised and no record brought. */
    long missing() {
        return wanted.values().stream().mapToLong(Set::size).sum();
    }
}
