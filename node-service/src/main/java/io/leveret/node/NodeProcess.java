package io.leveret.node;

import io.leveret.node.cluster.metadata.ForceBoot;
import io.leveret.node.control.ControlScope;
import io.leveret.node.control.NodeControl;
import io.leveret.node.runtime.FaultHandler;
import io.leveret.node.runtime.FolderLock;
import io.leveret.node.runtime.Interruption;
import java.io.IOException;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The process around the broker, which can be stopped and started without ending it (stop_app, start_app).
 *
 * <pre>
 * stopped --startBroker()--> starting --> running <--> paused (no majority)
 *    ^                                       |
 *    '------- stopping <---stopBroker()------'
 * </pre>
 */
final class NodeProcess implements NodeControl {
    private final NodeConfig config;
    private final FaultHandler faults;
    private final String version;
    private final @Nullable TlsMaterial tls;
    private final Object lock = new Object();
    private final ProcessState state;
    private volatile @Nullable Broker broker;

    /**
     * @param tls null when TLS is not configured
     * @param readiness is told whether clients can be served
     */
    NodeProcess(
            NodeConfig config,
            FaultHandler faults,
            String version,
            @Nullable TlsMaterial tls,
            Consumer<Boolean> readiness) {
        this.config = config;
        this.faults = faults;
        this.version = version;
        this.tls = tls;
        this.state = new ProcessState(readiness);
    }

    @Override
    public @Nullable ControlScope scope() {
        Broker running = broker;
        return running == null || state.isStarting() ? null : running.controlScope();
    }

    @Override
    public String state() {
        return state.name();
    }

    @Override
    public void startBroker() {
        synchronized (lock) {
            if (broker != null) {
                return;
            }
            state.starting();
            boolean isRunning = false;
            Broker started = null;
            try {
                started = new Broker(config, faults, version, tls, state::paused);
                broker = started;
                started.start();
                isRunning = true;
            } catch (IOException | ExecutionException e) {
                throw new IllegalStateException(e.getMessage(), e);
            } catch (InterruptedException e) {
                Interruption.keep();
                throw new IllegalStateException("interrupted while the broker started", e);
            } finally {
                if (!isRunning) {
                    state.stopped();
                    broker = null;
                    if (started != null) {
                        started.abandon();
                    }
                }
            }
            state.running();
        }
    }

    @Override
    public void stopBroker() {
        Broker starting = broker;
        if (state.isStarting() && starting != null) {
            // It may wait for other nodes for as long as they are away.
            starting.abandon();
        }
        synchronized (lock) {
            Broker running = broker;
            if (running == null) {
                return;
            }
            state.stopping();
            try {
                running.stop();
            } catch (InterruptedException e) {
                Interruption.keep();
            }
            broker = null;
            state.stopped();
        }
    }

    @Override
    public void forceBoot() {
        synchronized (lock) {
            if (broker != null) {
                throw new IllegalStateException("the broker must be stopped first");
            }
            try {
                FolderLock held = FolderLock.take(config.data());
                try {
                    ForceBoot.prepare(Broker.metadataSettings(config, null));
                } finally {
                    held.close();
                }
            } catch (IOException e) {
                throw new IllegalStateException(e.getMessage(), e);
            }
        }
    }
}
