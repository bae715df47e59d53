package io.leveret.admin.queue;

import io.leveret.admin.safety.CopyMark;
import io.leveret.admin.web.Words;
import io.leveret.model.view.ReplicaView;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A copy on the queue's own page. */
public record CopyRow(CopyMark mark) {
    public String behind() {
        Long behind = mark.replica().behind();
        if (mark.replica().role().equals(ReplicaView.LEADER)) {
            return "";
        }
        return behind == null ? "unknown" : Words.number(behind);
    }

    public ReplicaView.@Nullable SyncView sync() {
        return mark.replica().sync();
    }

    /** "58 MB left at 12 MB/s, about 4 s" */
    public String progress() {
        ReplicaView.SyncView sync = sync();
        if (sync == null) {
            return "";
        }
        String left = Words.bytes(sync.bytesLeft()) + " left";
        if (sync.bytesPerSecond() <= 0) {
            return left;
        }
        return left + " at " + Words.bytes(sync.bytesPerSecond()) + "/s, about "
                + Words.duration(Duration.ofSeconds(sync.bytesLeft() / sync.bytesPerSecond() + 1));
    }

    public String note() {
        String reason = mark.replica().reason();
        if (reason != null) {
            return reason;
        }
        return switch (mark.replica().state()) {
            case ReplicaView.State.NOT_SYNCHRONISED -> "ha-sync-mode is manual: older messages wait for you";
            case ReplicaView.State.LAGGING -> "gets new messages, answers slowly; catches up by itself";
            case ReplicaView.State.DOWN -> "compared when it is back; only the difference is copied";
            default -> "";
        };
    }

    public boolean mayCancel() {
        return sync() != null;
    }

    public boolean maySync() {
        return mark.replica().state().equals(ReplicaView.State.NOT_SYNCHRONISED);
    }

    public String rowClass() {
        return switch (mark.kind()) {
            case "warn" -> "risk";
            case "bad" -> "lost";
            default -> "";
        };
    }
}
