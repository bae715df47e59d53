package io.leveret.node.cluster.placement;

import io.leveret.model.NodeName;
import io.leveret.node.broker.definitions.DefinitionChange;
import io.leveret.node.broker.definitions.DefinitionsImage;
import io.leveret.node.broker.definitions.DefinitionsListener;
import io.leveret.node.broker.definitions.DefinitionsUnavailableException;
import io.leveret.node.broker.definitions.Outcome;
import io.leveret.node.cluster.metadata.ClusterCommand;
import io.leveret.node.cluster.metadata.ClusterImage;
import io.leveret.node.cluster.metadata.MajorityListener;
import io.leveret.node.cluster.metadata.MetadataListener;
import io.leveret.node.cluster.metadata.MetadataStore;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Metadata of a test: real commands on a real image, agreed on when the test says so, on the test's thread. */
final class InMemoryStore implements MetadataStore {
    final Scene scene;
    /** Everything that was proposed, in order. */
    final List<ClusterCommand> proposed = new ArrayList<>();

    boolean isRaftLeader = true;
    boolean hasMajority = true;
    /** Nothing is agreed on: proposals and reads fail. */
    boolean isDown;

    private final ArrayDeque<Runnable> waiting = new ArrayDeque<>();
    private final List<MetadataListener> listeners = new ArrayList<>();

    InMemoryStore(Scene scene) {
        this.scene = scene;
    }

    /** Applies a command as if another node had proposed it. */
    Outcome apply(ClusterCommand command) {
        Outcome outcome = scene.apply(command);
        listeners.forEach(each -> each.changed(scene.delta, scene.image));
        return outcome;
    }

    /** Tells of what the test did with the scene directly. */
    void changed() {
        listeners.forEach(each -> each.changed(scene.delta, scene.image));
    }

    /** Agrees on what was proposed. @return false when there was nothing */
    boolean agree() {
        boolean isAny = !waiting.isEmpty();
        for (int left = waiting.size(); left > 0; left--) {
            waiting.remove().run();
        }
        return isAny;
    }

    @Override
    public ClusterImage cluster() {
        return scene.image;
    }

    @Override
    public CompletionStage<Outcome> propose(ClusterCommand command) {
        proposed.add(command);
        CompletableFuture<Outcome> answer = new CompletableFuture<>();
        waiting.add(() -> {
            if (isDown) {
                answer.completeExceptionally(new DefinitionsUnavailableException("no majority"));
            } else {
                answer.complete(apply(command));
            }
        });
        return answer;
    }

    @Override
    public CompletionStage<ClusterImage> clusterUpToDate() {
        CompletableFuture<ClusterImage> answer = new CompletableFuture<>();
        waiting.add(() -> {
            if (isDown) {
                answer.completeExceptionally(new DefinitionsUnavailableException("no majority"));
            } else {
                answer.complete(scene.image);
            }
        });
        return answer;
    }

    @Override
    public void addListener(MetadataListener listener) {
        listeners.add(listener);
    }

    @Override
    public void addMajorityListener(MajorityListener listener) {}

    @Override
    public void addListener(DefinitionsListener listener) {}

    @Override
    public NodeName localNode() {
        return Scene.n("A");
    }

    @Override
    public long boot() {
        return 1;
    }

    @Override
    public UUID storeId() {
        return new UUID('A', 0);
    }

    @Override
    public boolean isRaftLeader() {
        return isRaftLeader;
    }

    @Override
    public boolean hasMajority() {
        return hasMajority;
    }

    @Override
    public DefinitionsImage image() {
        return scene.image.definitions();
    }

    @Override
    public CompletionStage<Outcome> submit(DefinitionChange change) {
        return propose(new ClusterCommand.Define(change));
    }

    @Override
    public CompletionStage<DefinitionsImage> upToDate() {
        return clusterUpToDate().thenApply(ClusterImage::definitions);
    }
}
