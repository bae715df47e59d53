package io.leveret.node.control;

import io.leveret.model.UserName;
import io.leveret.model.VhostName;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A request whose signature was right.
 *
 * @param parts what the path has in the places of the route's variables, decoded
 * @param user who asks; null for the operator, who may do everything
 */
record ControlRequest(
        String method,
        List<String> parts,
        Map<String, String> query,
        Map<String, String> headers,
        byte[] body,
        @Nullable UserName user) {

    ControlRequest withParts(List<String> found) {
        return new ControlRequest(method, found, query, headers, body, user);
    }

    String part(int index) {
        return parts.get(index);
    }

    /** A part that is a vhost; one that cannot be a name names nothing. */
    VhostName vhost(int index) {
        try {
            return new VhostName(parts.get(index));
        } catch (IllegalArgumentException e) {
            throw ControlRefusal.notFound();
        }
    }

    boolean flag(String name) {
        return "true".equals(query.get(name));
    }

    /** The body as a JSON object; an empty body counts as an empty object. */
    JsonNode json() {
        JsonNode json = Json.parse(body);
        if (!json.isObject()) {
            throw ControlRefusal.badRequest("not_json");
        }
        return json;
    }

    /** The body as a record. */
    <T> T json(Class<T> type) {
        return Json.convert(json(), type);
    }

    /** A member that must be there. */
    JsonNode required(String member) {
        JsonNode value = json().path(member);
        if (value.isMissingNode()) {
            throw ControlRefusal.badRequest("[{key_missing," + member + "}]");
        }
        return value;
    }
}
