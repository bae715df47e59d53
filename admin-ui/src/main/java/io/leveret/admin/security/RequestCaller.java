package io.leveret.admin.security;

import io.leveret.admin.cluster.Caller;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.stereotype.Component;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;

/** The user of the request that this thread serves. */
@Component
class RequestCaller implements Caller {
    @Override
    public String name() {
        Authentication authentication = SecurityContextHolder.getContext().getAuthentication();
        return authentication != null && authentication.getPrincipal() instanceof SignedInUser user ? user.name() : "";
    }

    @Override
    public String via() {
        return RequestContextHolder.getRequestAttributes() instanceof ServletRequestAttributes attributes
                        && attributes.getRequest().getRequestURI().startsWith("/api/")
                ? "api"
                : "page";
    }
}
