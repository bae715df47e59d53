package io.leveret.admin.web;

import io.leveret.admin.cluster.BrokerQueries;
import io.leveret.admin.cluster.ControlPath;
import io.leveret.admin.cluster.Kept;
import io.leveret.admin.cluster.QueueList;
import io.leveret.admin.safety.QueueSafety;
import io.leveret.admin.security.SignedInUser;
import io.leveret.model.view.NodeView;
import io.leveret.model.view.OverviewView;
import io.leveret.model.view.QueueView;
import io.leveret.model.view.VhostView;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpSession;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ModelAttribute;

/** Gives every page its {@link Frame}. What the bar says of the cluster is asked at most once in {@link #HEALTH_MILLIS}. */
@ControllerAdvice(annotations = Page.class)
class Frames implements Kept {
    /** What the bar says besides the queues must not be asked again by every part of every page. */
    private static final long HEALTH_MILLIS = 4000;

    private static final String VHOST = "vhost";
    private static final String EVERY = "every";

    private final BrokerQueries queries;
    private final QueueList queueList;
    private final Clock clock;
    private final AtomicReference<@Nullable Counted> counted = new AtomicReference<>();
    private @Nullable Health last;

    Frames(BrokerQueries queries, QueueList queueList, Clock clock) {
        this.queries = queries;
        this.queueList = queueList;
        this.clock = clock;
    }

    private record Health(long millis, OverviewView overview, List<NodeView> nodes, List<String> vhosts) {}

    /** The pill, and the reading of the queues that it was made from: the lists show the same. */
    private record Counted(List<QueueView> queues, List<NodeView> nodes, Pill pill) {}

    /** A form that only changes something shows no frame: the cluster is not asked for one. */
    @ModelAttribute("frame")
    Frame frame(HttpServletRequest request, SignedInUser user) {
        String every = remembered(request, EVERY, "5");
        Frame frame = new Frame(
                user,
                remembered(request, VHOST, ""),
                every.matches("[0-9]{1,4}") ? Integer.parseInt(every) : 5,
                Words.time(clock.instant()),
                () -> bar(user));
        if (!request.getMethod().equals("POST")) {
            // Now, while a cluster that does not answer can still be a page of its own.
            frame.bar();
        }
        return frame;
    }

    private Frame.Bar bar(SignedInUser user) {
        Health health = health();
        return new Frame.Bar(
                health.overview().clusterName(),
                pill(health.nodes()),
                Alarms.of(health.nodes()).stream().map(Alarms.Banner::title).toList(),
                health.vhosts().stream().filter(user::maySee).toList(),
                health.overview().node(),
                health.overview().productVersion());
    }

    /** A choice stands in the address, and is kept for the next page. */
    private static String remembered(HttpServletRequest request, String name, String otherwise) {
        HttpSession session = request.getSession();
        boolean isChosen = request.getMethod().equals("GET") && request.getParameter("frame") != null;
        String given = request.getParameter(name);
        if (isChosen && given != null) {
            session.setAttribute("frame." + name, given);
            return given;
        }
        return session.getAttribute("frame." + name) instanceof String kept ? kept : otherwise;
    }

    /** One reading at a time: one that began before a change does not end after it. */
    private synchronized Health health() {
        Health known = last;
        if (known != null && clock.millis() - known.millis() < HEALTH_MILLIS) {
            return known;
        }
        OverviewView overview = queries.get(ControlPath.of("overview").withoutStatistics(), OverviewView.class);
        List<NodeView> nodes = queries.list(ControlPath.of("nodes"), NodeView.class);
        List<String> vhosts = queries.list(ControlPath.of("vhosts").withoutStatistics(), VhostView.class).stream()
                .map(VhostView::name)
                .toList();
        Health health = new Health(clock.millis(), overview, nodes, vhosts);
        last = health;
        return health;
    }

    @Override
    public synchronized void forget() {
        last = null;
    }

    @SuppressWarnings("ReferenceEquality") // the same reading, not an equal one, saves counting again
    private Pill pill(List<NodeView> nodes) {
        List<QueueView> queues = queueList.all();
        Counted known = counted.get();
        if (known == null || known.queues() != queues || known.nodes() != nodes) {
            known = new Counted(queues, nodes, pill(nodes, queues));
            counted.set(known);
        }
        return known.pill();
    }

    static Pill pill(List<NodeView> nodes, List<QueueView> queues) {
        long running = nodes.stream().filter(NodeView::isRunning).count();
        int unsafe = 0;
        int down = 0;
        for (QueueView queue : queues) {
            QueueSafety.Verdict verdict = QueueSafety.of(queue).verdict();
            down += verdict == QueueSafety.Verdict.DOWN ? 1 : 0;
            unsafe += verdict == QueueSafety.Verdict.SAFE || queue.isExclusive() ? 0 : 1;
        }
        String text = running + " of " + nodes.size() + " nodes · "
                + (down > 0 ? Words.count(down, "queue") + " down" : Words.count(unsafe, "queue") + " not safe");
        String kind = down > 0 ? "bad" : unsafe > 0 || running < nodes.size() ? "warn" : "ok";
        return new Pill(kind, text, "What is safe");
    }
}
