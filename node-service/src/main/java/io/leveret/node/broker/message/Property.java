package io.leveret.node.broker.message;

/** The properties of class basic, in the order of their flags and on the wire. */
public enum Property {
    CONTENT_TYPE,
    CONTENT_ENCODING,
    HEADERS,
    DELIVERY_MODE,
    PRIORITY,
    CORRELATION_ID,
    REPLY_TO,
    EXPIRATION,
    MESSAGE_ID,
    TIMESTAMP,
    TYPE,
    USER_ID,
    APP_ID,
    CLUSTER_ID;

    static final int COUNT = 14;
}
