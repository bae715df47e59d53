package io.leveret.admin.web;

import io.leveret.admin.security.SignedInUser;
import io.leveret.admin.security.Tag;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What stands around every page. What it says of the cluster is asked for when it is first looked at. One thread. */
public final class Frame {
    public static final List<Integer> INTERVALS = List.of(5, 30, 0);

    private final SignedInUser user;
    private final String chosenVhost;
    private final int every;
    private final String asOf;
    private final Supplier<Bar> reading;
    private @Nullable Bar bar;

    /**
     * @param chosenVhost empty for all
     * @param every seconds between refreshes; 0 for none
     */
    Frame(SignedInUser user, String chosenVhost, int every, String asOf, Supplier<Bar> reading) {
        this.user = user;
        this.chosenVhost = chosenVhost;
        this.every = every;
        this.asOf = asOf;
        this.reading = reading;
    }

    /**
     * The cluster, as the bar and the foot show it.
     *
     * @param health the pill in the bar
     * @param alarms what blocks publishers, one line each
     * @param vhosts those the user may choose from
     */
    record Bar(
            String clusterName,
            Pill health,
            List<String> alarms,
            List<String> vhosts,
            String answeredBy,
            String version) {}

    /** Asks the cluster unless that was done. */
    Bar bar() {
        Bar known = bar;
        if (known == null) {
            known = reading.get();
            bar = known;
        }
        return known;
    }

    public SignedInUser user() {
        return user;
    }

    public String clusterName() {
        return bar().clusterName();
    }

    public Pill health() {
        return bar().health();
    }

    public List<String> alarms() {
        return bar().alarms();
    }

    public List<String> vhosts() {
        return bar().vhosts();
    }

    /** The chosen vhost; empty for all. */
    public String vhost() {
        return vhosts().contains(chosenVhost) ? chosenVhost : "";
    }

    public int every() {
        return every;
    }

    public String answeredBy() {
        return bar().answeredBy();
    }

    public String version() {
        return bar().version();
    }

    public String asOf() {
        return asOf;
    }

    public List<Integer> intervals() {
        return INTERVALS;
    }

    public boolean isMonitoring() {
        return user.has(Tag.MONITORING);
    }

    public boolean isAdministrator() {
        return user.isAdministrator();
    }

    /** Whether objects of this vhost are to be shown: it is chosen, or all are and the user may see it. */
    public boolean shows(String candidate) {
        return user.maySee(candidate) && (vhost().isEmpty() || vhost().equals(candidate));
    }

    public boolean isWithVhosts() {
        return vhost().isEmpty() && vhosts().size() > 1;
    }

    public String tag() {
        return user.tags().isEmpty() ? "" : user.tags().get(0);
    }
}
