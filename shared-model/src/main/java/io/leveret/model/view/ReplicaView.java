package io.leveret.model.view;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;

/**
 * One copy of a queue: Leveret's addition to a queue's view, leader first, then mirrors from the oldest.
 *
 * @param node where it is
 * @param role {@code leader} or {@code mirror}
 * @param state {@code leader}, {@code in sync}, {@code syncing}, {@code paused}, {@code lagging}, {@code not synchronised},
 *     {@code down} (its node is gone) or {@code broken} (its copy cannot be opened)
 * @param isInSync in the set that confirms wait for
 * @param isRunning its node is up
 * @param behind messages that the leader has and this copy has not; absent when unknown
 * @param sync how far a running or paused synchronisation is; absent when there is none
 * @param downSince when its node left, milliseconds since 1970; absent when up
 * @param reason why it is broken, paused or lagging, as a sentence; absent when there is nothing to say
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ReplicaView(
        String node,
        String role,
        String state,
        @JsonProperty("in_sync") boolean isInSync,
        @JsonProperty("running") boolean isRunning,
        @Nullable Long behind,
        @Nullable SyncView sync,
        @JsonProperty("down_since") @Nullable Long downSince,
        @Nullable String reason) {

    public static final String LEADER = "leader";
    public static final String MIRROR = "mirror";

    /** The words of {@link #state()}. */
    public static final class State {
        public static final String LEADER = "leader";
        public static final String IN_SYNC = "in sync";
        public static final String SYNCING = "syncing";
        public static final String PAUSED = "paused";
        public static final String LAGGING = "lagging";
        public static final String NOT_SYNCHRONISED = "not synchronised";
        public static final String DOWN = "down";
        public static final String BROKEN = "broken";

        private State() {}
    }

    /**
     * A synchronisation under way.
     *
     * @param messagesDone copied so far
     * @param messagesTotal to copy in all
     * @param bytesLeft bytes still to copy
     * @param bytesPerSecond its speed now
     */
    public record SyncView(
            @JsonProperty("messages_done") long messagesDone,
            @JsonProperty("messages_total") long messagesTotal,
            @JsonProperty("bytes_left") long bytesLeft,
            @JsonProperty("bytes_per_second") long bytesPerSecond) {}
}
