package io.leveret.node.cluster.metadata;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.leveret.model.NodeName;
import io.leveret.node.FreePorts;
import io.leveret.node.cluster.metadata.MetadataSettings.Voter;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.statemachine.impl.BaseStateMachine;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class RaftLinkTest {
    private static final int ASKED = 12;
    private static final int HELD_MAX = 8;

    @TempDir
    private Path folder;

    private static ServerSocket socket() throws IOException {
        return new ServerSocket(0, ASKED, InetAddress.getByName("127.0.0.1"));
    }

    @Test
    @Timeout(60)
    void whatIsMoreThanMayWaitForAFrozenPeerFailsLikeTheRest() throws Exception {
        int own = FreePorts.choose(1).get(0);
        ExecutorService threads = Executors.newFixedThreadPool(ASKED);
        try (ServerSocket frozen = socket();
                RaftLink link = link(own, frozen.getLocalPort())) {
            List<CompletableFuture<Throwable>> asked = new ArrayList<>();
            for (int i = 0; i < ASKED; i++) {
                asked.add(CompletableFuture.supplyAsync(
                        () -> catchThrowable(() -> link.ask(RaftPeerId.valueOf("b"))), threads));
            }
            await().until(() -> asked.stream().filter(CompletableFuture::isDone).count() >= ASKED - HELD_MAX);
            frozen.close();
            assertThat(asked).allSatisfy(each -> assertThat(each.get()).isInstanceOf(IOException.class));
        } finally {
            threads.shutdownNow();
        }
    }

    private RaftLink link(int own, int other) throws IOException {
        MetadataSettings settings = MetadataSettings.of(
                new NodeName("a"),
                List.of(
                        new Voter(new NodeName("a"), "127.0.0.1", own),
                        new Voter(new NodeName("b"), "127.0.0.1", other)),
                folder,
                "test",
                Duration.ofSeconds(1));
        return new RaftLink(settings, 0, group -> new BaseStateMachine(), null);
    }
}
