package io.leveret.admin.web;

import io.leveret.admin.cluster.BrokerQueries;
import io.leveret.admin.security.Needs;
import io.leveret.admin.security.OpenToAll;
import io.leveret.admin.security.SignedInUser;
import io.leveret.admin.security.Tag;
import io.leveret.model.control.AuthenticatedUser;
import io.leveret.model.control.Credentials;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.stereotype.Component;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.HandlerMapping;

/**
 * Guards every path of the HTTP API: who asks, what the tags allow, whether the vhost may be seen.
 *
 * <p>It comes after the choice of the handler on purpose: an unknown path is 404 and a wrong method 405 for everyone, as
 * clients of this API expect. All denials are 401.
 */
@Component
public class ApiAccess implements HandlerInterceptor {
    static final String REALM = "Basic realm=\"RabbitMQ Management\"";

    private final BrokerQueries queries;

    public ApiAccess(BrokerQueries queries) {
        this.queries = queries;
    }

    @Override
    public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler) {
        if (!(handler instanceof HandlerMethod method)
                || method.hasMethodAnnotation(OpenToAll.class)
                || HttpMethod.OPTIONS.matches(request.getMethod())) {
            return true;
        }
        String authorization = request.getHeader(HttpHeaders.AUTHORIZATION);
        if (authorization == null) {
            response.setStatus(HttpServletResponse.SC_UNAUTHORIZED);
            response.setHeader(HttpHeaders.WWW_AUTHENTICATE, REALM);
            return false;
        }
        SignedInUser user = authenticated(authorization, request.getRemoteAddr());
        SecurityContextHolder.getContext()
                .setAuthentication(UsernamePasswordAuthenticationToken.authenticated(user, null, List.of()));
        checkTags(user, method);
        checkVhost(user, method, request);
        return true;
    }

    private SignedInUser authenticated(String authorization, String peerHost) {
        Optional<AuthenticatedUser> user = Optional.empty();
        if (authorization.regionMatches(true, 0, "Basic ", 0, 6)) {
            user = queries.authenticate(credentials(authorization.substring(6).strip(), peerHost));
        }
        return SignedInUser.of(user.orElseThrow(() ->
                new ApiProblem(401, "not_authorized", "Login failed").header(HttpHeaders.WWW_AUTHENTICATE, REALM)));
    }

    private static Credentials credentials(String encoded, String peerHost) {
        try {
            String pair = new String(Base64.getDecoder().decode(encoded), StandardCharsets.UTF_8);
            int colon = pair.indexOf(':');
            if (colon >= 0) {
                return new Credentials(pair.substring(0, colon), pair.substring(colon + 1), peerHost);
            }
        } catch (IllegalArgumentException notBase64) {
            // Said below, together with a missing colon.
        }
        throw new ApiProblem(400, "bad_request", "the Authorization header is not a base64 name:password");
    }

    private static void checkTags(SignedInUser user, HandlerMethod method) {
        if (!user.has(Tag.MANAGEMENT)) {
            throw denied("Not management user");
        }
        Needs needs = needs(method);
        if (needs == null || user.has(needs.value())) {
            return;
        }
        throw denied(
                switch (needs.value()) {
                    case ADMINISTRATOR -> "Not administrator user";
                    case MONITORING -> "Not monitor user";
                    case POLICYMAKER, MANAGEMENT -> "User not authorised to access object";
                });
    }

    @SuppressWarnings("unchecked")
    private static void checkVhost(SignedInUser user, HandlerMethod method, HttpServletRequest request) {
        Map<String, String> variables =
                (Map<String, String>) request.getAttribute(HandlerMapping.URI_TEMPLATE_VARIABLES_ATTRIBUTE);
        String vhost = variables == null ? null : variables.get("vhost");
        if (vhost != null && !user.maySee(vhost)) {
            Needs needs = needs(method);
            boolean isPolicy = needs != null && needs.value() == Tag.POLICYMAKER;
            throw denied(
                    isPolicy ? "User not authorised to access object" : "User not authorised to access virtual host");
        }
    }

    private static @Nullable Needs needs(HandlerMethod method) {
        Needs own = method.getMethodAnnotation(Needs.class);
        return own != null ? own : method.getBeanType().getAnnotation(Needs.class);
    }

    /** A denial with this reason. */
    public static ApiProblem denied(String reason) {
        return new ApiProblem(401, "not_authorised", reason);
    }
}
