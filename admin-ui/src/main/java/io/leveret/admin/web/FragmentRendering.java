package io.leveret.admin.web;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.ModelAndView;

/** With the header {@code Leveret-Fragment: ID} only the element with this id is rendered, from the page's own model. */
final class FragmentRendering implements HandlerInterceptor {
    static final String HEADER = "Leveret-Fragment";

    private static final String LAYOUT = "fragments/layout";
    /** What stands around every page is in a template of its own. */
    private static final Set<String> OF_EVERY_PAGE = Set.of("health", "alarm-line");

    private static final Pattern ID = Pattern.compile("[a-z-]{1,40}");

    @Override
    public void postHandle(
            HttpServletRequest request, HttpServletResponse response, Object handler, @Nullable ModelAndView page) {
        String fragment = request.getHeader(HEADER);
        if (page == null || fragment == null || !ID.matcher(fragment).matches()) {
            return;
        }
        String view = page.getViewName();
        if (view != null && !view.startsWith("redirect:") && !view.contains("::")) {
            page.setViewName((OF_EVERY_PAGE.contains(fragment) ? LAYOUT : view) + " :: #" + fragment);
        }
    }
}
