package io.leveret.node.broker.definitions;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;

/** Definitions of a cluster of one, agreed at once; or, held back, of a node that is behind or without a majority. */
public final class InMemoryDefinitions implements Definitions {
    private final List<DefinitionsListener> listeners = new CopyOnWriteArrayList<>();
    private volatile DefinitionsImage agreed = DefinitionsImage.EMPTY;
    private volatile DefinitionsImage applied = DefinitionsImage.EMPTY;
    private volatile boolean isBehind;
    private volatile boolean isUnavailable;
    private final List<Runnable> slow = new ArrayList<>();
    private boolean isSlow;

    /** While behind, this node does not see what is agreed until it asks. */
    public void setBehind(boolean behind) {
        isBehind = behind;
    }

    public void setUnavailable(boolean unavailable) {
        isUnavailable = unavailable;
    }

    /** While slow, changes wait; then they are agreed, in their order. */
    public void setSlow(boolean slowly) {
        List<Runnable> due;
        synchronized (this) {
            isSlow = slowly;
            due = slowly ? List.of() : List.copyOf(slow);
            if (!slowly) {
                slow.clear();
            }
        }
        due.forEach(Runnable::run);
    }

    /** Agrees on a change made elsewhere. */
    public synchronized Outcome agree(DefinitionChange change) {
        DefinitionChange.Applied result = change.applyTo(agreed);
        agreed = result.image();
        if (!isBehind) {
            applied = agreed;
            listeners.forEach(listener -> listener.changed(result.delta(), applied));
        }
        return result.outcome();
    }

    @Override
    public DefinitionsImage image() {
        return applied;
    }

    @Override
    public synchronized CompletionStage<Outcome> submit(DefinitionChange change) {
        if (isUnavailable) {
            return CompletableFuture.failedFuture(new DefinitionsUnavailableException("no majority"));
        }
        isBehind = false;
        if (isSlow) {
            CompletableFuture<Outcome> later = new CompletableFuture<>();
            slow.add(() -> later.complete(agree(change)));
            return later;
        }
        return CompletableFuture.completedFuture(agree(change));
    }

    @Override
    public synchronized CompletionStage<DefinitionsImage> upToDate() {
        if (isUnavailable) {
            return CompletableFuture.failedFuture(new DefinitionsUnavailableException("no majority"));
        }
        applied = agreed;
        return CompletableFuture.completedFuture(applied);
    }

    @Override
    public void addListener(DefinitionsListener listener) {
        listeners.add(listener);
    }
}
