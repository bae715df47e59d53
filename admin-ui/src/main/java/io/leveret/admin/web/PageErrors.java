package io.leveret.admin.web;

import io.leveret.admin.cluster.BrokerRefusedException;
import io.leveret.admin.cluster.BrokerUnavailableException;
import io.leveret.admin.cluster.UnknownOutcomeException;
import java.util.Map;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.servlet.ModelAndView;

/** What a page says when it cannot be shown. */
@ControllerAdvice(annotations = Page.class)
class PageErrors {
    @ExceptionHandler
    ModelAndView unavailable(BrokerUnavailableException unavailable) {
        return page(503, "No node answers", "Changing is off until one does. " + unavailable.getMessage() + ".");
    }

    @ExceptionHandler
    ModelAndView unknownOutcome(UnknownOutcomeException unknown) {
        return page(
                504,
                "It is not known whether the change was made",
                unknown.getMessage()
                        + ". Look at the object before you try again; History has this change as unknown.");
    }

    @ExceptionHandler
    ModelAndView refused(BrokerRefusedException refused) {
        String title = refused.status() == 404 ? "It is not there" : "The cluster refused it";
        return page(refused.status(), title, refused.error().reason());
    }

    @ExceptionHandler
    ModelAndView noAccess(NoAccessException no) {
        return page(403, "No access to this page", String.valueOf(no.getMessage()));
    }

    private static ModelAndView page(int status, String title, String text) {
        ModelAndView page = new ModelAndView("problem", Map.of("title", title, "text", text));
        page.setStatus(HttpStatus.valueOf(status));
        return page;
    }
}
