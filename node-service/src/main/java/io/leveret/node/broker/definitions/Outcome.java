package io.leveret.node.broker.definitions;

import org.jspecify.annotations.Nullable;

/** What became of a change. Exactly one of "it holds now" and a refusal. */
public record Outcome(Kind kind, @Nullable Refusal refusal) {
    public static final Outcome CREATED = new Outcome(Kind.CREATED, null);
    public static final Outcome UPDATED = new Outcome(Kind.UPDATED, null);
    public static final Outcome UNCHANGED = new Outcome(Kind.UNCHANGED, null);
    public static final Outcome DELETED = new Outcome(Kind.DELETED, null);

    /** How the image differs from before. */
    public enum Kind {
        CREATED,
        UPDATED,
        /** The image was already as asked for. */
        UNCHANGED,
        DELETED,
        /** Nothing changed, and what was asked for does not hold. */
        REFUSED
    }

    /** Why a change was refused. The reason is a sentence for the client, without the reply code's name. */
    public record Refusal(RefusalKind kind, String reason) {}

    /** The class of a refusal; the protocol edges translate it into their codes. */
    public enum RefusalKind {
        NOT_FOUND,
        PRECONDITION_FAILED,
        ACCESS_REFUSED,
        RESOURCE_LOCKED,
        /** The command was made from an image that is no longer current. Its proposer looks again. */
        STALE,
        /** No node can hold the queue now. */
        UNAVAILABLE
    }

    /** A refusal of the given kind. */
    public static Outcome refused(RefusalKind kind, String reason) {
        return new Outcome(Kind.REFUSED, new Refusal(kind, reason));
    }

    public boolean isRefused() {
        return kind == Kind.REFUSED;
    }

    /** @throws IllegalStateException when the change was not refused */
    public Refusal requireRefusal() {
        if (refusal == null) {
            throw new IllegalStateException("not refused: " + kind);
        }
        return refusal;
    }
}
