package io.leveret.admin.security;

import io.leveret.admin.cluster.BrokerQueries;
import io.leveret.model.control.AuthenticatedUser;
import io.leveret.model.control.Credentials;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.List;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.security.authentication.AuthenticationProvider;
import org.springframework.security.authentication.BadCredentialsException;
import org.springframework.security.authentication.InsufficientAuthenticationException;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.config.http.SessionCreationPolicy;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.authentication.WebAuthenticationDetails;
import org.springframework.security.web.firewall.FirewalledRequest;
import org.springframework.security.web.firewall.HttpFirewall;
import org.springframework.security.web.firewall.StrictHttpFirewall;

/**
 * Two ways in: the HTTP API with a password in every request (see {@code web.ApiAccess}), the pages with a form and a session. Both ask
 * the cluster; nothing about users is kept here.
 */
@Configuration(proxyBeanMethods = false)
class SecurityConfig {
    /** No inline script or style, nothing from elsewhere, no framing. */
    static final String CONTENT_POLICY =
            "default-src 'self'; frame-ancestors 'none'; form-action 'self'; base-uri 'none'";

    @Bean
    @Order(1)
    SecurityFilterChain api(HttpSecurity http) throws Exception {
        http.securityMatcher("/api", "/api/**", "/actuator/**")
                .authorizeHttpRequests(all -> all.anyRequest().permitAll())
                .csrf(AbstractHttpConfigurer::disable)
                .requestCache(AbstractHttpConfigurer::disable)
                .sessionManagement(session -> session.sessionCreationPolicy(SessionCreationPolicy.STATELESS));
        return http.build();
    }

    @Bean
    @Order(2)
    SecurityFilterChain pages(HttpSecurity http, AuthenticationProvider byCluster) throws Exception {
        http.authorizeHttpRequests(paths -> paths.requestMatchers(
                                "/login", "/doc/stats.html", "/leveret.css", "/leveret.js", "/icon.svg", "/error")
                        .permitAll()
                        .anyRequest()
                        .authenticated())
                .authenticationProvider(byCluster)
                .formLogin(form -> form.loginPage("/login").defaultSuccessUrl("/", false))
                .logout(out -> out.logoutSuccessUrl("/login?out"))
                .headers(headers -> headers.contentSecurityPolicy(policy -> policy.policyDirectives(CONTENT_POLICY)));
        return http.build();
    }

    @Bean
    AuthenticationProvider byCluster(BrokerQueries queries) {
        return new ClusterLogin(queries);
    }

    /** Names in paths of the API may hold anything, encoded: its handlers take segments as they are. */
    @Bean
    HttpFirewall firewall() {
        StrictHttpFirewall strict = new StrictHttpFirewall();
        strict.setAllowUrlEncodedSlash(true);
        strict.setAllowUrlEncodedDoubleSlash(true);
        strict.setAllowUrlEncodedPercent(true);
        strict.setAllowUrlEncodedPeriod(true);
        strict.setAllowBackSlash(true);
        strict.setAllowSemicolon(true);
        return new HttpFirewall() {
            @Override
            public FirewalledRequest getFirewalledRequest(HttpServletRequest request) {
                return request.getRequestURI().startsWith("/api/")
                        ? new UncheckedRequest(request)
                        : strict.getFirewalledRequest(request);
            }

            @Override
            public HttpServletResponse getFirewalledResponse(HttpServletResponse response) {
                return strict.getFirewalledResponse(response);
            }
        };
    }

    private static final class UncheckedRequest extends FirewalledRequest {
        UncheckedRequest(HttpServletRequest request) {
            super(request);
        }

        @Override
        public void reset() {
            // Nothing was changed.
        }
    }

    /** Asks the cluster whether a password is right. */
    private record ClusterLogin(BrokerQueries queries) implements AuthenticationProvider {
        @Override
        public Authentication authenticate(Authentication given) throws AuthenticationException {
            String peer =
                    given.getDetails() instanceof WebAuthenticationDetails details ? details.getRemoteAddress() : "";
            Credentials credentials = new Credentials(given.getName(), String.valueOf(given.getCredentials()), peer);
            AuthenticatedUser answer = queries.authenticate(credentials)
                    .orElseThrow(() -> new BadCredentialsException("The user name or the password is wrong."));
            SignedInUser user = SignedInUser.of(answer);
            if (!user.has(Tag.MANAGEMENT)) {
                throw new InsufficientAuthenticationException(
                        user.name() + " has none of the tags management, policymaker, monitoring, administrator.");
            }
            return UsernamePasswordAuthenticationToken.authenticated(user, null, List.of());
        }

        @Override
        public boolean supports(Class<?> type) {
            return UsernamePasswordAuthenticationToken.class.isAssignableFrom(type);
        }
    }
}
