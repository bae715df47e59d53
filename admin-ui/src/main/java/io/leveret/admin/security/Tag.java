package io.leveret.admin.security;

/** What a user's tags allow in the management plane. They give no right over messages. */
public enum Tag {
    /** See and change what is in one's own vhosts. */
    MANAGEMENT("management"),
    /** And policies and parameters there. */
    POLICYMAKER("policymaker"),
    /** And see all that is going on. */
    MONITORING("monitoring"),
    /** Everything. */
    ADMINISTRATOR("administrator");

    private final String word;

    Tag(String word) {
        this.word = word;
    }

    /** As written in a user's tags. */
    public String word() {
        return word;
    }
}
