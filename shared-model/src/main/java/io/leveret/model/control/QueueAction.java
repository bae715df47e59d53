package io.leveret.model.control;

/** The body of {@code POST /queues/…/actions}: {@code sync} or {@code cancel_sync}. */
public record QueueAction(String action) {
    public static final String SYNC = "sync";
    public static final String CANCEL_SYNC = "cancel_sync";
}
