package io.leveret.node.control;

import io.leveret.model.UserName;
import io.leveret.model.VhostName;
import io.leveret.model.control.AuthenticatedUser;
import io.leveret.model.control.Credentials;
import io.leveret.model.definition.UserDefinition;
import io.leveret.model.view.UserLimitsView;
import io.leveret.model.view.UserView;
import io.leveret.node.broker.auth.Authenticator;
import io.leveret.node.broker.auth.Login;
import io.leveret.node.broker.auth.LoginAttempts;
import io.leveret.node.broker.auth.PasswordHash;
import io.leveret.node.broker.definitions.DefinitionChange;
import io.leveret.node.broker.definitions.DefinitionsImage;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;

/** Users, their limits, and the check of their passwords. */
final class UserResource {
    private static final Set<String> LIMITS = Set.of("max-connections", "max-channels");
    private static final int SALT_BYTES = 4;

    private final Resources resources;

    UserResource(Resources resources) {
        this.resources = resources;
    }

    void addTo(Routes routes) {
        routes.add("POST", "authenticate", this::authenticate)
                .add("GET", "users", this::all)
                .add("GET", "users/without-permissions", this::withoutPermissions)
                .add("POST", "users/bulk-delete", this::bulkDelete)
                .add("GET", "users/{}", this::one)
                .add("PUT", "users/{}", this::put)
                .add("DELETE", "users/{}", this::delete)
                .add("GET", "user-limits", this::allLimits)
                .add("GET", "user-limits/{}", this::limitsOfUser)
                .add("PUT", "user-limits/{}/{}", this::putLimit)
                .add("DELETE", "user-limits/{}/{}", this::deleteLimit);
    }

    static UserName name(String part) {
        try {
            return new UserName(part);
        } catch (IllegalArgumentException e) {
            throw ControlRefusal.badRequest(String.valueOf(e.getMessage()));
        }
    }

    private Answer authenticate(ControlRequest request) {
        Credentials credentials = request.json(Credentials.class);
        byte[] password = credentials.password().getBytes(StandardCharsets.UTF_8);
        Authenticator authenticator = resources.scope().authenticator();
        InetAddress from = address(credentials.peerHost());
        Login login = Waiting.on(authenticator.logIn(credentials.username(), password, from));
        // The operator tries a password for somebody; everybody else logs in.
        if (!request.query().containsKey("by")) {
            authenticator.attempts().count(LoginAttempts.HTTP, from, credentials.username(), login != null);
        }
        if (login == null) {
            throw new ControlRefusal(401, "not_authorised", "Login failed");
        }
        DefinitionsImage image = resources.scope().store().image();
        List<String> vhosts = image.vhosts().keySet().stream()
                .filter(vhost -> image.permission(login.user(), vhost) != null)
                .map(VhostName::value)
                .toList();
        UserDefinition user = image.user(login.user());
        return Answer.of(new AuthenticatedUser(login.user().value(), user == null ? List.of() : user.tags(), vhosts));
    }

    private static InetAddress address(String host) {
        // Only literal addresses: a name would be looked up, which takes time and can be made to lie.
        if (!host.matches("[0-9.]+|\\[?[0-9a-fA-F:.%]*:[0-9a-zA-Z:.%]*\\]?")) {
            throw ControlRefusal.badRequest("peer_host is not an address: " + host);
        }
        try {
            return InetAddress.getByName(host);
        } catch (UnknownHostException e) {
            throw ControlRefusal.badRequest("peer_host is not an address: " + host);
        }
    }

    static UserView view(UserDefinition user, DefinitionsImage image) {
        return new UserView(
                user.name().value(),
                user.passwordHash(),
                user.hashingAlgorithm(),
                user.tags(),
                limits(image, user.name()));
    }

    private Answer all(ControlRequest request) {
        DefinitionsImage image = resources.cluster().image().definitions();
        return Answer.of(
                image.users().values().stream().map(user -> view(user, image)).toList());
    }

    private Answer withoutPermissions(ControlRequest request) {
        DefinitionsImage image = resources.cluster().image().definitions();
        return Answer.of(image.users().values().stream()
                .filter(user -> image.vhosts().keySet().stream()
                        .noneMatch(vhost -> image.permission(user.name(), vhost) != null))
                .map(user -> view(user, image))
                .toList());
    }

    private Answer one(ControlRequest request) {
        DefinitionsImage image = resources.cluster().image().definitions();
        UserDefinition user = image.user(name(request.part(0)));
        if (user == null) {
            throw ControlRefusal.notFound();
        }
        return Answer.of(view(user, image));
    }

    private Answer put(ControlRequest request) {
        JsonNode body = request.json();
        if (!body.has("tags")) {
            throw ControlRefusal.badRequest("tags_not_present");
        }
        UserDefinition user = definition(name(request.part(0)), body);
        return resources.put(new DefinitionChange.PutUser(user));
    }

    /** A user from the members of a request or of a definitions file. */
    UserDefinition definition(UserName name, JsonNode body) {
        boolean hasHash = body.path("password_hash").isString();
        boolean hasPassword = body.path("password").isString();
        if (hasHash && hasPassword) {
            throw ControlRefusal.badRequest("both_password_and_password_hash_are_provided");
        }
        String algorithm = body.path("hashing_algorithm").asString(PasswordHash.SHA_256);
        String hash = "";
        if (hasHash) {
            hash = checkedHash(body.path("password_hash").stringValue());
            if (!PasswordHash.isKnownAlgorithm(algorithm)) {
                throw ControlRefusal.badRequest("unknown hashing algorithm " + algorithm);
            }
        } else {
            algorithm = PasswordHash.SHA_256;
            String password = body.path("password").asString("");
            if (!password.isEmpty()) {
                byte[] salt = new byte[SALT_BYTES];
                resources.scope().randomness().fill(salt);
                hash = PasswordHash.of(password, salt);
            }
        }
        return new UserDefinition(name, hash, algorithm, VhostResource.tags(body.path("tags")));
    }

    private static String checkedHash(String hash) {
        try {
            Base64.getDecoder().decode(hash);
            return hash;
        } catch (IllegalArgumentException e) {
            throw ControlRefusal.badRequest(List.of("not_base64", hash));
        }
    }

    private Answer delete(ControlRequest request) {
        return resources.put(new DefinitionChange.DeleteUser(name(request.part(0))));
    }

    private Answer bulkDelete(ControlRequest request) {
        List<UserName> names = new ArrayList<>();
        request.required("users").forEach(user -> names.add(name(user.asString(""))));
        DefinitionsImage image = resources.cluster().image().definitions();
        for (UserName each : names) {
            if (image.user(each) == null) {
                throw ControlRefusal.badRequest(List.of("no_such_user", each.value()));
            }
        }
        names.forEach(each -> resources.change(new DefinitionChange.DeleteUser(each)));
        return Answer.done();
    }

    private static Map<String, Integer> limits(DefinitionsImage image, UserName user) {
        Map<String, Integer> limits = new TreeMap<>();
        image.userLimits(user).forEach((key, value) -> {
            if (value instanceof Number number) {
                limits.put(key, number.intValue());
            }
        });
        return limits;
    }

    private Answer allLimits(ControlRequest request) {
        DefinitionsImage image = resources.cluster().image().definitions();
        return Answer.of(image.userLimits().keySet().stream()
                .map(user -> new UserLimitsView(user.value(), limits(image, user)))
                .filter(view -> !view.value().isEmpty())
                .toList());
    }

    private Answer limitsOfUser(ControlRequest request) {
        DefinitionsImage image = resources.cluster().image().definitions();
        UserName user = name(request.part(0));
        if (image.user(user) == null) {
            throw ControlRefusal.notFound();
        }
        Map<String, Integer> limits = limits(image, user);
        return Answer.of(limits.isEmpty() ? List.of() : List.of(new UserLimitsView(user.value(), limits)));
    }

    private Answer putLimit(ControlRequest request) {
        JsonNode value = request.required("value");
        UserName user = name(request.part(0));
        if (!LIMITS.contains(request.part(1))) {
            throw ControlRefusal.badRequest(
                    "Unrecognised terms [{<<\"" + request.part(1) + "\">>," + value + "}] in user-limits");
        }
        if (!value.isIntegralNumber()) {
            throw ControlRefusal.badRequest(request.part(1) + " should be a number, actually was " + value);
        }
        if (resources.cluster().image().definitions().user(user) == null) {
            throw ControlRefusal.badRequest(List.of("no_such_user", user.value()));
        }
        resources.change(new DefinitionChange.SetUserLimit(user, request.part(1), value.longValue()));
        return Answer.done();
    }

    private Answer deleteLimit(ControlRequest request) {
        resources.change(new DefinitionChange.SetUserLimit(name(request.part(0)), request.part(1), null));
        return Answer.done();
    }
}
