package io.leveret.admin.web;

import io.leveret.admin.security.SignedInUser;
import io.leveret.admin.security.Tag;
import java.util.List;

/**
 * What stands around every page.
 *
 * @param vhosts those the user may choose from
 * @param vhost the chosen one; empty for all
 * @param every seconds between refreshes; 0 for none
 * @param health the pill in the bar
 * @param alarms what blocks publishers, one line each
 */
public record Frame(
        SignedInUser user,
        String clusterName,
        Pill health,
        List<String> alarms,
        List<String> vhosts,
        String vhost,
        int every,
        String answeredBy,
        String version,
        String asOf) {

    public static final List<Integer> INTERVALS = List.of(5, 30, 0);

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
        return user.maySee(candidate) && (vhost.isEmpty() || vhost.equals(candidate));
    }

    public boolean isWithVhosts() {
        return vhost.isEmpty() && vhosts.size() > 1;
    }

    public String tag() {
        return user.tags().isEmpty() ? "" : user.tags().get(0);
    }
}
