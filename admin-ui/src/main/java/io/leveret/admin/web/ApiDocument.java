package io.leveret.admin.web;

import io.leveret.admin.security.OpenToAll;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

/** The list of what the HTTP API can do, made from its handlers, and the addresses at which people look for it. */
@Controller
class ApiDocument {
    private static final String PAGE = "/api/index.html";

    private final RequestMappingHandlerMapping handlers;

    ApiDocument(@Qualifier("requestMappingHandlerMapping") RequestMappingHandlerMapping handlers) {
        this.handlers = handlers;
    }

    @GetMapping({"/api", "/doc/stats.html"})
    @OpenToAll
    ResponseEntity<Void> elsewhere() {
        return ResponseEntity.status(HttpStatus.MOVED_PERMANENTLY)
                .header(HttpHeaders.LOCATION, PAGE)
                .build();
    }

    @GetMapping(PAGE)
    @OpenToAll
    String page(Model model) {
        Map<String, String> paths = new TreeMap<>();
        handlers.getHandlerMethods().forEach((mapping, method) -> {
            if (method.getBeanType().isAnnotationPresent(Api.class)) {
                mapping.getPatternValues().forEach(path -> paths.merge(path, methods(mapping), (a, b) -> a + ", " + b));
            }
        });
        model.addAttribute("paths", paths);
        return "api";
    }

    private static String methods(RequestMappingInfo mapping) {
        return mapping.getMethodsCondition().getMethods().stream()
                .map(Enum::name)
                .sorted()
                .collect(Collectors.joining(", "));
    }
}
