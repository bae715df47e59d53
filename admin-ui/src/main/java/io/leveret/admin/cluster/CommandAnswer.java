package io.leveret.admin.cluster;

import org.jspecify.annotations.Nullable;

/**
 * What a node answered to a mutation that it carried out.
 *
 * @param status 200, 201 (created) or 204 (changed, deleted, was so already)
 * @param location where the created object is, when the node says so
 * @param body JSON, empty when there is none
 */
public record CommandAnswer(int status, @Nullable String location, String body) {
    public boolean isCreated() {
        return status == 201;
    }
}
