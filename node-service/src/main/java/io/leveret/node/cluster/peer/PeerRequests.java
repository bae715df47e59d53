package io.leveret.node.cluster.peer;

import io.leveret.model.NodeName;
import io.leveret.node.runtime.Cancellable;
import io.leveret.node.runtime.SerialExecutor;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Questions and answers over one service number, for what is asked rarely: not for the path of a message. A question has one
 * answer, or ends as {@link PeerAnswer.Unknown} after its time. Owned by one executor; bound: the questions of one time-out.
 */
public final class PeerRequests implements PeerService, PeerListener {
    private static final byte QUESTION = 0;
    private static final byte ANSWER = 1;
    private static final byte REFUSAL = 2;
    private static final int HEADER_BYTES = 9;

    /** Answers questions. Called on the link's executor; may answer later, on any thread. */
    @FunctionalInterface
    public interface Handler {
        /** The stage's failure message is told to the asker as a refusal. */
        CompletionStage<ByteBuffer> handle(NodeName asker, ByteBuffer question);
    }

    private record Pending(PeerLink link, CompletableFuture<PeerAnswer> answer, Cancellable timeout) {}

    private final PeerTransport transport;
    private final int service;
    private final SerialExecutor executor;
    private final Handler handler;
    private final Map<Long, Pending> pending = new HashMap<>();
    private long lastNumber;

    /** Registers itself with the transport. */
    public static PeerRequests register(
            PeerTransport transport, int service, SerialExecutor executor, Handler handler) {
        PeerRequests requests = new PeerRequests(transport, service, executor, handler);
        transport.register(service, requests);
        transport.listen(requests);
        return requests;
    }

    private PeerRequests(PeerTransport transport, int service, SerialExecutor executor, Handler handler) {
        this.transport = transport;
        this.service = service;
        this.executor = executor;
        this.handler = handler;
    }

    /** Any thread. The stage never fails; it completes on this object's executor. */
    public CompletionStage<PeerAnswer> ask(NodeName peer, ByteBuffer question, long timeoutNanos) {
        CompletableFuture<PeerAnswer> answer = new CompletableFuture<>();
        executor.run(() -> {
            PeerLink link = transport.link(peer);
            if (link == null || !link.isOpen()) {
                answer.complete(new PeerAnswer.NotSent());
                return;
            }
            long number = ++lastNumber;
            Cancellable timeout = executor.schedule(() -> end(number, "no answer in time"), timeoutNanos);
            pending.put(number, new Pending(link, answer, timeout));
            send(link, QUESTION, number, question);
        });
        return answer;
    }

    @Override
    public void received(PeerLink link, PeerClass trafficClass, ByteBuffer payload) {
        byte kind = payload.get();
        long number = payload.getLong();
        if (kind == QUESTION) {
            // Frames that came before it may be on their way to other executors: they are handed over first.
            link.executor().atEndOfBatch(() -> answer(link, number, payload));
        } else if (kind == ANSWER) {
            executor.run(() -> complete(number, new PeerAnswer.Answered(payload)));
        } else {
            String reason = StandardCharsets.UTF_8.decode(payload).toString();
            executor.run(() -> complete(number, new PeerAnswer.Refused(reason)));
        }
    }

    private void answer(PeerLink link, long number, ByteBuffer question) {
        CompletionStage<ByteBuffer> asked;
        try {
            asked = handler.handle(link.peer(), question);
        } catch (BufferUnderflowException | IllegalArgumentException e) {
            link.close("a question that is none: " + e.getMessage());
            return;
        }
        asked.whenComplete((answer, failure) -> executor.run(() -> {
            if (failure == null) {
                send(link, ANSWER, number, answer);
            } else {
                String reason = String.valueOf(failure.getMessage());
                send(link, REFUSAL, number, StandardCharsets.UTF_8.encode(reason));
            }
        }));
    }

    @Override
    public void linkDown(PeerLink link) {
        executor.run(() -> pending.entrySet().stream()
                .filter(entry -> entry.getValue().link().equals(link))
                .map(Map.Entry::getKey)
                .toList()
                .forEach(number -> end(number, "the link to " + link.peer() + " ended")));
    }

    private void end(long number, String reason) {
        complete(number, new PeerAnswer.Unknown(reason));
    }

    private void complete(long number, PeerAnswer answer) {
        @Nullable Pending asked = pending.remove(number);
        if (asked != null) {
            asked.timeout().cancel();
            asked.answer().complete(answer);
        }
    }

    private void send(PeerLink link, byte kind, long number, ByteBuffer payload) {
        ByteBuffer header =
                ByteBuffer.allocate(HEADER_BYTES).put(kind).putLong(number).flip();
        link.outbox(executor).send(PeerClass.CLIENT, service, header, payload);
    }
}
