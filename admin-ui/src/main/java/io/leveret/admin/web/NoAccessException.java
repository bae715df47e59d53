package io.leveret.admin.web;

import io.leveret.admin.security.SignedInUser;
import io.leveret.admin.security.Tag;

/** A page, or a change from one, that the user's tags do not allow. */
public final class NoAccessException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private NoAccessException(String message) {
        super(message);
    }

    /** Goes on only when the user has the tag. */
    public static void unless(SignedInUser user, Tag tag) {
        if (!user.has(tag)) {
            throw new NoAccessException("It takes the tag " + tag.word() + "; " + user.name() + " has "
                    + (user.tags().isEmpty() ? "none" : String.join(", ", user.tags())) + ".");
        }
    }

    /** Goes on only when the vhost may be seen. */
    public static void unlessVisible(SignedInUser user, String vhost) {
        if (!user.maySee(vhost)) {
            throw new NoAccessException(user.name() + " has no permission in the virtual host " + vhost + ".");
        }
    }

    /** Goes on only when policies of the vhost may be set. */
    public static void unlessPolicies(SignedInUser user, String vhost) {
        unless(user, Tag.POLICYMAKER);
        unlessVisible(user, vhost);
    }
}
