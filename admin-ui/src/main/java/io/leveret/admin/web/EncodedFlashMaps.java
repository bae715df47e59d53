package io.leveret.admin.web;

import jakarta.servlet.http.HttpServletRequest;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import org.springframework.web.servlet.FlashMap;
import org.springframework.web.servlet.support.SessionFlashMapManager;
import org.springframework.web.util.UriUtils;

/**
 * Keeps "it is done" for the page after a redirect, also when its path holds an encoded slash: the one kept is decoded, so the
 * path of the request is decoded before they are compared.
 */
@Component("flashMapManager")
final class EncodedFlashMaps extends SessionFlashMapManager {
    @Override
    protected boolean isFlashMapForRequest(FlashMap flashMap, HttpServletRequest request) {
        String expected = flashMap.getTargetRequestPath();
        return expected == null || expected.equals(decoded(request.getRequestURI()));
    }

    private static @Nullable String decoded(@Nullable String path) {
        return path == null ? null : UriUtils.decode(path, StandardCharsets.UTF_8);
    }
}
