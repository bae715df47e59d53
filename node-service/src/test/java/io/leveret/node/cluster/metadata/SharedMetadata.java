package io.leveret.node.cluster.metadata;

import io.leveret.model.NodeName;
import io.leveret.node.broker.definitions.DefinitionChange;
import io.leveret.node.broker.definitions.DefinitionsImage;
import io.leveret.node.broker.definitions.DefinitionsListener;
import io.leveret.node.broker.definitions.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The metadata of several nodes in one JVM: one log in memory, applied by each node on a thread of its own. */
public final class SharedMetadata {
    private final List<Node> nodes = new ArrayList<>();
    private ClusterImage image = ClusterImage.EMPTY;
    private long index = 100;
    private volatile @Nullable NodeName leader;

    private record Entry(ClusterImage image, ClusterDelta delta) {}

    /** A node's view. A node that starts again gets a new one, and the same storeId. */
    public synchronized Node node(NodeName name, long boot, UUID storeId) {
        Node node = new Node(name, boot, storeId, image);
        nodes.add(node);
        return node;
    }

    public synchronized ClusterImage image() {
        return image;
    }

    /** Proposes as nobody in particular; returns when it is applied to the log, not when nodes have heard of it. */
    public synchronized Outcome apply(ClusterCommand command) {
        ClusterImage.Applied applied = image.apply(++index, command);
        image = applied.image();
        for (Node each : nodes) {
            each.hear(new Entry(applied.image(), applied.delta()));
        }
        return applied.outcome();
    }

    /** From now on this node leads what any of them declares, except exclusive queues: those stay with their client. */
    public void lead(NodeName node) {
        leader = node;
    }

    /** One node's store. */
    public final class Node implements MetadataStore, AutoCloseable {
        private final NodeName name;
        private final long boot;
        private final UUID storeId;
        private final List<MetadataListener> listeners = new CopyOnWriteArrayList<>();
        private final List<DefinitionsListener> definitionsListeners = new CopyOnWriteArrayList<>();
        private final List<MajorityListener> majorityListeners = new CopyOnWriteArrayList<>();
        private final ExecutorService applying;
        private volatile ClusterImage applied;
        private volatile boolean isCutOff;
        private volatile boolean isClosed;

        private Node(NodeName name, long boot, UUID storeId, ClusterImage image) {
            this.name = name;
            this.boot = boot;
            this.storeId = storeId;
            this.applied = image;
            // A closed node hears nothing more, and nobody minds.
            this.applying = new ThreadPoolExecutor(
                    1,
                    1,
                    0,
                    TimeUnit.SECONDS,
                    new LinkedBlockingQueue<>(),
                    task -> {
                        Thread thread = new Thread(task, "metadata-" + name);
                        thread.setDaemon(true);
                        return thread;
                    },
                    new ThreadPoolExecutor.DiscardPolicy());
        }

        /** What happens from now on is not heard of here until then. */
        public void hearNothingUntil(CompletionStage<?> then) {
            applying.execute(() -> then.toCompletableFuture().join());
        }

        /** From now on nothing is heard here, until all of it comes at once. */
        public void cutOff() {
            isCutOff = true;
        }

        /** The image comes as a whole, as a snapshot does. */
        public void catchUp() {
            synchronized (SharedMetadata.this) {
                isCutOff = false;
                hear(new Entry(image, ClusterDelta.RELOAD));
            }
        }

        private void hear(Entry entry) {
            if (!isClosed && !isCutOff) {
                applying.execute(() -> {
                    applied = entry.image();
                    listeners.forEach(each -> each.changed(entry.delta(), entry.image()));
                    definitionsListeners.forEach(each -> each.changed(
                            entry.delta().definitions(), entry.image().definitions()));
                });
            }
        }

        @Override
        public ClusterImage cluster() {
            return applied;
        }

        @Override
        public CompletionStage<Outcome> propose(ClusterCommand command) {
            CompletableFuture<Outcome> result = new CompletableFuture<>();
            if (!isClosed) {
                Outcome outcome = apply(command);
                applying.execute(() -> result.complete(outcome));
            }
            return result;
        }

        @Override
        public CompletionStage<ClusterImage> clusterUpToDate() {
            return CompletableFuture.supplyAsync(this::cluster, applying);
        }

        @Override
        public void addListener(MetadataListener listener) {
            listeners.add(listener);
        }

        @Override
        public void addListener(DefinitionsListener listener) {
            definitionsListeners.add(listener);
        }

        @Override
        public void addMajorityListener(MajorityListener listener) {
            majorityListeners.add(listener);
        }

        /** Tells the node that it lost, or found again, its majority. */
        public void majority(boolean isThere) {
            for (MajorityListener each : majorityListeners) {
                if (isThere) {
                    each.majorityBack();
                } else {
                    each.majorityLost();
                }
            }
        }

        @Override
        public NodeName localNode() {
            return name;
        }

        @Override
        public long boot() {
            return boot;
        }

        @Override
        public UUID storeId() {
            return storeId;
        }

        @Override
        public boolean isRaftLeader() {
            return true;
        }

        @Override
        public boolean hasMajority() {
            return true;
        }

        @Override
        public DefinitionsImage image() {
            return applied.definitions();
        }

        @Override
        public CompletionStage<Outcome> submit(DefinitionChange change) {
            return propose(
                    change instanceof DefinitionChange.DeclareQueue declare
                            ? new ClusterCommand.Declare(declare, List.of(home(declare)))
                            : new ClusterCommand.Define(change));
        }

        private NodeName home(DefinitionChange.DeclareQueue declare) {
            NodeName lead = leader;
            return lead == null || declare.owner() != null ? name : lead;
        }

        @Override
        public CompletionStage<DefinitionsImage> upToDate() {
            return clusterUpToDate().thenApply(ClusterImage::definitions);
        }

        @Override
        public void close() {
            isClosed = true;
            synchronized (SharedMetadata.this) {
                nodes.remove(this);
            }
            applying.shutdown();
        }
    }
}
