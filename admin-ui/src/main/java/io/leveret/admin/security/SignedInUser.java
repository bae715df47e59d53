package io.leveret.admin.security;

import io.leveret.model.control.AuthenticatedUser;
import java.io.Serializable;
import java.util.List;
import org.springframework.security.core.AuthenticatedPrincipal;

/**
 * A user whose password was right, and what the tags allow.
 *
 * @param vhosts those where the user has a permission
 */
public record SignedInUser(String name, List<String> tags, List<String> vhosts)
        implements AuthenticatedPrincipal, Serializable {
    public static SignedInUser of(AuthenticatedUser user) {
        return new SignedInUser(user.name(), List.copyOf(user.tags()), List.copyOf(user.vhosts()));
    }

    @Override
    public String getName() {
        return name;
    }

    /** Every tag but management implies management; administrator implies all. */
    public boolean has(Tag tag) {
        return tags.contains(tag.word())
                || tags.contains(Tag.ADMINISTRATOR.word())
                || (tag == Tag.MANAGEMENT
                        && (tags.contains(Tag.MONITORING.word()) || tags.contains(Tag.POLICYMAKER.word())));
    }

    public boolean isAdministrator() {
        return has(Tag.ADMINISTRATOR);
    }

    /** Whether objects of the vhost may be seen: by those who may use it, and by administrators. */
    public boolean maySee(String vhost) {
        return isAdministrator() || vhosts.contains(vhost);
    }

    /** Whether the vhost is listed: monitoring sees that it is there. */
    public boolean mayList(String vhost) {
        return has(Tag.MONITORING) || vhosts.contains(vhost);
    }

    /** Whether policies and parameters of the vhost may be set. */
    public boolean maySetPolicies(String vhost) {
        return has(Tag.POLICYMAKER) && maySee(vhost);
    }
}
