package io.leveret.admin.history;

import io.leveret.admin.cluster.Mutation;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.EnumType;
import jakarta.persistence.Enumerated;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** One change made through this admin: who, when, what, and the object before and after, as JSON. */
@Entity
@Table(name = "change_made")
public class Change {
    /** How it ended. {@code STARTED} alone means that the admin ended in between. */
    public enum Outcome {
        STARTED,
        DONE,
        REFUSED,
        UNAVAILABLE,
        UNKNOWN
    }

    @Id
    @GeneratedValue(strategy = GenerationType.IDENTITY)
    private @Nullable Long id;

    @Column(name = "made_at", nullable = false)
    private Instant madeAt = Instant.EPOCH;

    @Column(name = "user_name", nullable = false)
    private String userName = "";

    @Column(nullable = false)
    private String via = "";

    @Column(nullable = false)
    private String verb = "";

    @Column(nullable = false)
    private String kind = "";

    @Column(nullable = false)
    private String vhost = "";

    @Column(nullable = false)
    private String name = "";

    @Column(name = "before_json")
    private @Nullable String before;

    @Column(name = "after_json")
    private @Nullable String after;

    @Column(nullable = false)
    @Enumerated(EnumType.STRING)
    private Outcome outcome = Outcome.STARTED;

    private @Nullable String reason;

    /** For the database. */
    protected Change() {}

    Change(Instant madeAt, String userName, String via, Mutation mutation, @Nullable String before) {
        this.madeAt = madeAt;
        this.userName = userName;
        this.via = via;
        this.verb = mutation.verb();
        this.kind = mutation.subject().kind();
        this.vhost = mutation.subject().vhost();
        this.name = mutation.subject().name();
        this.before = before;
    }

    void ended(Outcome how, @Nullable String why, @Nullable String afterwards) {
        outcome = how;
        reason = why;
        after = afterwards;
    }

    public @Nullable Long id() {
        return id;
    }

    public Instant madeAt() {
        return madeAt;
    }

    public String userName() {
        return userName;
    }

    public String via() {
        return via;
    }

    public String verb() {
        return verb;
    }

    public String kind() {
        return kind;
    }

    public String vhost() {
        return vhost;
    }

    public String name() {
        return name;
    }

    public @Nullable String before() {
        return before;
    }

    public @Nullable String after() {
        return after;
    }

    public Outcome outcome() {
        return outcome;
    }

    public @Nullable String reason() {
        return reason;
    }
}
