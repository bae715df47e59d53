package io.leveret.node.broker.definitions;

import java.util.concurrent.CompletionStage;

/** The definitions of the cluster as this node knows them. Any thread. */
public interface Definitions {
    /** What this node has applied so far; may be behind other nodes. Never waits. */
    DefinitionsImage image();

    /**
     * Proposes a change. The stage completes when the change is agreed and {@link #image} of this node contains its effect.
     * It fails with {@link DefinitionsUnavailableException} when no answer came in time: the change may still happen.
     */
    CompletionStage<Outcome> submit(DefinitionChange change);

    /**
     * An image that contains every change whose submit completed anywhere before this call. Asked once before a client is
     * told that something does not exist.
     */
    CompletionStage<DefinitionsImage> upToDate();

    /** The listener is told of every change applied from now on, in order. */
    void addListener(DefinitionsListener listener);
}
