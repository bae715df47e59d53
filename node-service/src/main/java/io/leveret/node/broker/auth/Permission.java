package io.leveret.node.broker.auth;

/** The three things a user can be allowed to do with an exchange or a queue. */
public enum Permission {
    CONFIGURE,
    WRITE,
    READ
}
