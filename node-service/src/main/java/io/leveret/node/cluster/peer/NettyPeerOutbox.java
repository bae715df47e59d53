package io.leveret.node.cluster.peer;

import io.leveret.node.runtime.SerialExecutor;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Collects one executor's frames in segments, a run of segments per class, and hands all of them to the link in one task at
 * the end of the batch, or earlier when they are many.
 */
final class NettyPeerOutbox implements PeerOutbox {
    private static final PeerClass[] CLASSES = PeerClass.values();
    private static final int SEGMENT_BYTES_MIN = 4 << 10;
    /** Large enough for one system call to be worth it, small enough for credit to be exact. */
    private static final int SEGMENT_BYTES_MAX = 64 << 10;
    /** Collected bytes beyond which the socket should begin before the batch ends. */
    private static final int COLLECTED_BYTES_MAX = 256 << 10;

    private record Filled(PeerClass trafficClass, NettyPeerLink.Segment segment) {}

    private final NettyPeerLink link;
    private final SerialExecutor caller;
    private final ByteBufAllocator allocator;
    private final CRC32C crc = new CRC32C();
    private final @Nullable ByteBuf[] open = new ByteBuf[PeerClass.COUNT];
    private final int[] openPayload = new int[PeerClass.COUNT];
    private List<Filled> filled = new ArrayList<>();
    private int collectedBytes;
    private boolean isEndAnnounced;

    NettyPeerOutbox(NettyPeerLink link, SerialExecutor caller, ByteBufAllocator allocator) {
        this.link = link;
        this.caller = caller;
        this.allocator = allocator;
    }

    @Override
    public PeerLink link() {
        return link;
    }

    @Override
    public void send(PeerClass trafficClass, int service, ByteBuffer... parts) {
        caller.assertInside();
        int size = PeerFrame.sizeOf(parts);
        int payload = size - PeerFrame.HEADER_BYTES - PeerFrame.ADDRESS_BYTES;
        if (payload > PeerTransport.PAYLOAD_BYTES_MAX) {
            throw new IllegalArgumentException("a frame of " + payload + " bytes");
        }
        if (!link.isOpen()) {
            return;
        }
        int index = trafficClass.ordinal();
        ByteBuf segment = open[index];
        if (segment == null || segment.maxWritableBytes() < size) {
            fill(trafficClass);
            segment = allocator.buffer(Math.max(size, SEGMENT_BYTES_MIN), Math.max(size, SEGMENT_BYTES_MAX));
            open[index] = segment;
        }
        segment.ensureWritable(size);
        PeerFrame.append(segment, crc, index, service, parts);
        openPayload[index] += payload;
        collectedBytes += size;
        if (collectedBytes > COLLECTED_BYTES_MAX) {
            handOver();
        } else if (!isEndAnnounced) {
            isEndAnnounced = true;
            caller.atEndOfBatch(this::endOfBatch);
        }
    }

    private void fill(PeerClass trafficClass) {
        int index = trafficClass.ordinal();
        ByteBuf segment = open[index];
        if (segment != null) {
            filled.add(new Filled(trafficClass, new NettyPeerLink.Segment(segment, openPayload[index])));
            open[index] = null;
            openPayload[index] = 0;
        }
    }

    private void endOfBatch() {
        isEndAnnounced = false;
        handOver();
    }

    private void handOver() {
        for (PeerClass each : CLASSES) {
            fill(each);
        }
        collectedBytes = 0;
        if (filled.isEmpty()) {
            return;
        }
        List<Filled> batch = filled;
        filled = new ArrayList<>();
        link.executor().run(() -> {
            batch.forEach(each -> link.enqueue(each.trafficClass(), each.segment()));
            link.pump();
        });
    }
}
