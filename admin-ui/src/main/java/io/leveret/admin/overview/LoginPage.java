package io.leveret.admin.overview;

import io.leveret.admin.cluster.BrokerQueries;
import io.leveret.admin.cluster.BrokerRefusedException;
import io.leveret.admin.cluster.BrokerUnavailableException;
import io.leveret.admin.cluster.ControlPath;
import io.leveret.admin.web.Words;
import io.leveret.model.view.NamedView;
import io.leveret.model.view.NodeView;
import jakarta.servlet.http.HttpSession;
import org.springframework.security.authentication.InsufficientAuthenticationException;
import org.springframework.security.web.WebAttributes;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.SessionAttribute;

/** The form to log in with. A wrong name and a wrong password read the same. */
@Controller
class LoginPage {
    private final BrokerQueries queries;

    LoginPage(BrokerQueries queries) {
        this.queries = queries;
    }

    @GetMapping("/login")
    String login(
            @SessionAttribute(name = WebAttributes.AUTHENTICATION_EXCEPTION, required = false)
                    @org.jspecify.annotations.Nullable
                    Exception failure,
            HttpSession session,
            Model model) {
        if (failure != null) {
            model.addAttribute("failure", sentence(failure));
            session.removeAttribute(WebAttributes.AUTHENTICATION_EXCEPTION);
        }
        try {
            model.addAttribute(
                    "cluster",
                    queries.get(ControlPath.of("cluster-name"), NamedView.class).name());
            long running = queries.list(ControlPath.of("nodes"), NodeView.class).stream()
                    .filter(NodeView::isRunning)
                    .count();
            model.addAttribute("nodes", Words.count(running, "node") + " running");
        } catch (BrokerUnavailableException | BrokerRefusedException unavailable) {
            model.addAttribute("unreachable", "The cluster cannot be reached now: " + unavailable.getMessage());
        }
        return "login";
    }

    private static String sentence(Exception failure) {
        return failure instanceof InsufficientAuthenticationException
                ? failure.getMessage() + " An administrator can set one under Admin > Users."
                : "The user name or the password is wrong.";
    }
}
