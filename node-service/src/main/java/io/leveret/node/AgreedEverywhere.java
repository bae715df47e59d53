package io.leveret.node;

import io.leveret.model.NodeName;
import io.leveret.node.cluster.peer.PeerRequests;
import io.leveret.node.cluster.peer.PeerTransport;
import io.leveret.node.runtime.SerialExecutor;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Waits until the other nodes have applied what was agreed, so that whoever was told of a change finds it on every node: a
 * publish to a queue that the publisher's node has not heard of would be dropped, and confirmed, as one without a route.
 *
 * <p>One round of questions at a time serves all that asked before it began. A node that is not linked is not waited for, one
 * that does not answer for {@link #ANSWER_NANOS_MAX} at most. Owned by one executor; bound: what callers have under way.
 */
final class AgreedEverywhere {
    static final int SERVICE = 11;
    static final long ANSWER_NANOS_MAX = TimeUnit.SECONDS.toNanos(5);

    private final List<NodeName> others;
    private final SerialExecutor executor;
    private final PeerRequests requests;
    private List<CompletableFuture<@Nullable Void>> waiting = new ArrayList<>();
    private boolean isAsking;

    /**
     * @param others the nodes of the cluster without this one
     * @param upToDate a stage that completes when this node has applied all that was agreed before the call; any thread
     */
    AgreedEverywhere(
            List<NodeName> others,
            Supplier<CompletionStage<?>> upToDate,
            PeerTransport transport,
            SerialExecutor executor) {
        this.others = others;
        this.executor = executor;
        this.requests = PeerRequests.register(
                transport,
                SERVICE,
                executor,
                (asker, question) -> upToDate.get().thenApply(image -> ByteBuffer.allocate(0)));
    }

    /** Any thread. The stage never fails. */
    CompletionStage<@Nullable Void> known() {
        CompletableFuture<@Nullable Void> known = new CompletableFuture<>();
        executor.run(() -> {
            waiting.add(known);
            ask();
        });
        return known;
    }

    private void ask() {
        if (isAsking || waiting.isEmpty()) {
            return;
        }
        isAsking = true;
        List<CompletableFuture<@Nullable Void>> served = waiting;
        waiting = new ArrayList<>();
        CompletableFuture<?>[] answers = others.stream()
                .map(each -> requests.ask(each, ByteBuffer.allocate(0), ANSWER_NANOS_MAX)
                        .toCompletableFuture())
                .toArray(CompletableFuture[]::new);
        CompletableFuture.allOf(answers).thenRun(() -> {
            isAsking = false;
            served.forEach(each -> each.complete(null));
            ask();
        });
    }
}
