package io.leveret.node.control;

import io.leveret.model.control.ControlSignature;
import io.leveret.node.runtime.NodeClock;
import io.leveret.node.runtime.Randomness;
import jakarta.servlet.http.HttpServlet;

/** Puts the control API together. */
public final class ControlApi {
    /** Where the servlet belongs. */
    public static final String PATH = "/control/*";

    private ControlApi() {}

    /** The servlet that answers for a node, whether or not its broker runs. */
    public static HttpServlet servlet(NodeControl node, String secret, NodeClock clock, Randomness randomness) {
        ControlSignature signature = new ControlSignature(secret);
        Resources resources = new Resources(node, new PeerControl(signature, clock, randomness));
        Routes routes = new Routes();
        UserResource users = new UserResource(resources);
        new NodeResource(resources).addTo(routes);
        new OverviewResource(resources).addTo(routes);
        new HealthResource(resources, clock).addTo(routes);
        new ConnectionResource(resources).addTo(routes);
        new QueueResource(resources).addTo(routes);
        new ExchangeResource(resources).addTo(routes);
        new MessageResource(resources).addTo(routes);
        new VhostResource(resources).addTo(routes);
        users.addTo(routes);
        new PermissionResource(resources).addTo(routes);
        new LoginResource(resources).addTo(routes);
        new PolicyResource(resources).addTo(routes);
        new ParameterResource(resources).addTo(routes);
        new DefinitionsResource(resources, users).addTo(routes);
        return new ControlServlet(new RequestGuard(signature, clock), routes);
    }
}
