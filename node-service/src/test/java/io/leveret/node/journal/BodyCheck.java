package io.leveret.node.journal;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;

/** Takes a read and compares each body with what it was made of. */
final class BodyCheck implements ReadCallback {
    private final long stream;
    private final List<Long> ids;
    private final String context;
    int seen;
    boolean isFinished;

    BodyCheck(long stream, List<Long> ids, String context) {
        this.stream = stream;
        this.ids = ids;
        this.context = context;
    }

    @Override
    public void record(int index, int type, ByteBuffer payload) {
        long id = payload.getLong();
        byte[] body = new byte[payload.getInt()];
        payload.get(body);
        if (id != ids.get(index)
                || payload.hasRemaining()
                || !Arrays.equals(body, StreamOwner.body(stream, id, body.length))) {
            throw new AssertionError(
                    context + ": stream " + stream + " has another record than " + ids.get(index) + ": " + id);
        }
        seen++;
    }

    @Override
    public void damaged(int index, String why) {
        throw new AssertionError(context + ": stream " + stream + ", message " + ids.get(index) + ": " + why);
    }

    @Override
    public void finished() {
        isFinished = true;
    }
}
