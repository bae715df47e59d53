package io.leveret.admin.cluster;

import io.leveret.model.control.ApiError;

/** A node said no; nothing was changed. */
public final class BrokerRefusedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int status;
    private final transient ApiError error;
    private final String body;

    public BrokerRefusedException(int status, ApiError error, String body) {
        super(error.reason());
        this.status = status;
        this.error = error;
        this.body = body;
    }

    public int status() {
        return status;
    }

    public ApiError error() {
        return error;
    }

    /** The answer as the node sent it; empty when it sent none. */
    public String body() {
        return body;
    }
}
