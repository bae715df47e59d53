package io.leveret.node.cluster.metadata;

import static io.leveret.node.cluster.metadata.Scenario.n;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.leveret.model.NodeName;
import io.leveret.model.QueueName;
import io.leveret.model.VhostName;
import io.leveret.model.definition.QueueDefinition;
import io.leveret.model.definition.VhostDefinition;
import io.leveret.node.FreePorts;
import io.leveret.node.broker.definitions.DefinitionChange;
import io.leveret.node.broker.definitions.Outcome;
import io.leveret.node.cluster.metadata.MetadataSettings.Voter;
import io.leveret.node.runtime.NodeClock;
import io.leveret.node.runtime.SecureRandomness;
import io.leveret.node.runtime.SystemClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Three stores with the real engine in one process. */
@Tag("engine")
class RatisMetadataStoreTest {
    private static final List<String> NAMES = List.of("a@host", "b@host", "c@host");

    @TempDir
    Path folder;

    private final Map<String, RatisMetadataStore> stores = new LinkedHashMap<>();
    private final List<String> faults = new CopyOnWriteArrayList<>();
    private List<Voter> voters = List.of();
    private Duration electionMin = Duration.ofMillis(300);

    @BeforeEach
    void choosePorts() {
        List<Integer> ports = FreePorts.choose(NAMES.size());
        voters = IntStream.range(0, NAMES.size())
                .mapToObj(i -> new Voter(n(NAMES.get(i)), "127.0.0.1", ports.get(i)))
                .toList();
    }

    @AfterEach
    void closeAll() throws IOException {
        for (RatisMetadataStore store : stores.values()) {
            store.close();
        }
        assertThat(faults).isEmpty();
    }

    private MetadataSettings settings(String name) {
        return new MetadataSettings(
                n(name),
                voters,
                folder.resolve(name).resolve("metadata"),
                "test",
                electionMin,
                Duration.ofSeconds(1),
                Duration.ofSeconds(15),
                1_000_000,
                null);
    }

    private CompletionStage<?> start(String name) throws IOException {
        return start(name, new SystemClock());
    }

    private CompletionStage<?> start(String name, NodeClock clock) throws IOException {
        Path home = folder.resolve(name);
        MetadataSettings settings = settings(name);
        RatisMetadataStore store = new RatisMetadataStore(
                settings,
                NodeIdentity.raise(home, new SecureRandomness(), clock),
                (image, change, client) -> List.of(client),
                clock,
                this::fault);
        stores.put(name, store);
        return store.start();
    }

    private void fault(String what, Throwable cause) {
        faults.add(what + ": " + cause);
    }

    private void stop(String name) throws IOException {
        stores.remove(name).close();
    }

    private void startAll() throws Exception {
        List<CompletionStage<?>> starting = new ArrayList<>();
        for (String name : NAMES) {
            starting.add(start(name));
        }
        for (CompletionStage<?> each : starting) {
            get(each);
        }
    }

    private static <T> T get(CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().get(30, TimeUnit.SECONDS);
    }

    private static DefinitionChange vhost(String name) {
        return new DefinitionChange.PutVhost(new VhostDefinition(new VhostName(name), "", List.of()));
    }

    private String leader() {
        await().until(() -> stores.values().stream().anyMatch(RatisMetadataStore::isRaftLeader));
        return stores.entrySet().stream()
                .filter(each -> each.getValue().isRaftLeader())
                .findFirst()
                .orElseThrow()
                .getKey();
    }

    private void up(String name) throws Exception {
        RatisMetadataStore store = stores.get(name);
        assertThat(get(store.propose(
                                new ClusterCommand.NodeUp(n(name), store.boot(), store.storeId(), false, Set.of())))
                        .isRefused())
                .isFalse();
    }

    @Test
    void formsAgreesAndSurvivesKillsAndRestarts() throws Exception {
        CompletionStage<?> first = start("a@host");
        start("b@host");
        get(start("c@host"));
        get(first);

        // Through a follower; visible there at once, and elsewhere after a barrier.
        String leader = leader();
        List<String> followers =
                NAMES.stream().filter(each -> !each.equals(leader)).toList();
        RatisMetadataStore one = stores.get(followers.get(0));
        RatisMetadataStore two = stores.get(followers.get(1));
        for (int i = 0; i < 20; i++) {
            assertThat(get(one.submit(vhost("v" + i)))).isEqualTo(Outcome.CREATED);
            assertThat(one.image().vhost(new VhostName("v" + i))).isNotNull();
            assertThat(get(two.upToDate()).vhost(new VhostName("v" + i))).isNotNull();
        }
        assertThat(get(one.submit(vhost("v0")))).isEqualTo(Outcome.UNCHANGED);

        // Every command once, in order, although the leader goes away under them.
        List<CompletionStage<Outcome>> answers = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            answers.add(one.submit(vhost("k" + i)));
            if (i == 100) {
                stop(leader);
            }
        }
        for (CompletionStage<Outcome> each : answers) {
            assertThat(get(each)).isEqualTo(Outcome.CREATED);
        }
        assertThat(one.image().vhosts()).hasSize(220);

        // All go at once and come back: from log alone, then from a snapshot.
        get(one.takeSnapshot());
        for (String name : List.copyOf(stores.keySet())) {
            stop(name);
        }
        startAll();
        for (RatisMetadataStore store : stores.values()) {
            assertThat(get(store.clusterUpToDate()).definitions().vhosts()).hasSize(220);
            assertThat(store.cluster().results).as("results of proposals").isNotEmpty();
        }
    }

    @Test
    void whoIsToldOfADefinitionFindsItOnEveryNode() throws Exception {
        startAll();
        List<RatisMetadataStore> all = List.copyOf(stores.values());
        for (RatisMetadataStore each : all) {
            each.answerWhen(() -> CompletableFuture.allOf(all.stream()
                    .map(store -> store.clusterUpToDate().toCompletableFuture())
                    .toArray(CompletableFuture[]::new)));
        }
        for (int i = 0; i < 30; i++) {
            VhostName name = new VhostName("v" + i);
            get(all.get(i % all.size()).submit(vhost(name.value())));
            assertThat(all).allMatch(store -> store.image().vhost(name) != null);
        }
    }

    /** A follower that hears of a commit before it has written the entry must not wait for the next heartbeat, 6 s later here. */
    @Test
    void noReaderWaitsForAHeartbeat() throws Exception {
        electionMin = Duration.ofSeconds(12);
        startAll();
        List<RatisMetadataStore> all = List.copyOf(stores.values());
        for (int i = 0; i < 200; i++) {
            VhostName name = new VhostName("v" + i);
            get(all.get(i % all.size()).submit(vhost(name.value())));
            for (RatisMetadataStore each : all) {
                each.clusterUpToDate().toCompletableFuture().get(5, TimeUnit.SECONDS);
                assertThat(each.image().vhost(name)).isNotNull();
            }
        }
    }

    @Test
    void whatIsAskedOfAClosedStoreIsAnswered() throws Exception {
        start("a@host");
        RatisMetadataStore store = stores.get("a@host");
        stop("a@host");
        assertThat(store.clusterUpToDate()).isCompletedExceptionally();
        assertThat(store.submit(vhost("late"))).isCompletedExceptionally();
    }

    @Test
    void nodeWithoutAMajoritySaysSoAndComesBack() throws Exception {
        startAll();
        String leader = leader();
        List<String> events = new CopyOnWriteArrayList<>();
        RatisMetadataStore survivor = stores.get(leader);
        await().until(survivor::hasMajority);
        survivor.addMajorityListener(new MajorityListener() {
            @Override
            public void majorityLost() {
                events.add("lost");
            }

            @Override
            public void majorityBack() {
                events.add("back");
            }
        });
        List<String> others =
                NAMES.stream().filter(each -> !each.equals(leader)).toList();
        stop(others.get(0));
        stop(others.get(1));
        // A machine that stands still for a second loses it, and finds it again, before that.
        await().until(() -> !survivor.hasMajority() && isLast(events, "lost"));
        CompletionStage<?> read = survivor.clusterUpToDate();
        get(start(others.get(0)));
        get(read);
        await().until(() -> survivor.hasMajority() && isLast(events, "back"));
        for (int i = 0; i < events.size(); i++) {
            assertThat(events.get(i)).as("%s", events).isEqualTo(i % 2 == 0 ? "lost" : "back");
        }
    }

    private static boolean isLast(List<String> events, String event) {
        return !events.isEmpty() && events.get(events.size() - 1).equals(event);
    }

    @Test
    void wipedNodeComesBackEmptyAndIsToldEverything() throws Exception {
        startAll();
        for (String name : NAMES) {
            up(name);
        }
        String leader = leader();
        String wiped =
                NAMES.stream().filter(each -> !each.equals(leader)).findFirst().orElseThrow();
        RatisMetadataStore store = stores.get(leader);
        get(store.submit(vhost("before")));
        get(store.submit(declaration("before", "q")));
        stop(wiped);
        removeTree(folder.resolve(wiped));
        get(store.submit(vhost("meanwhile")));
        get(start(wiped));
        RatisMetadataStore back = stores.get(wiped);
        assertThat(get(back.upToDate()).vhosts()).hasSize(2);
        up(wiped);
        assertThat(back.cluster().node(n(wiped)).storeId()).isEqualTo(back.storeId());
        assertThat(get(back.submit(vhost("after")))).isEqualTo(Outcome.CREATED);

        // Again, and its clock is wrong: no boot is given twice, and the next start counts on.
        long recorded = back.boot();
        stop(wiped);
        removeTree(folder.resolve(wiped));
        CompletionStage<?> refused = start(wiped, new NodeClock() {
            @Override
            public long nanoTime() {
                return System.nanoTime();
            }

            @Override
            public long currentTimeMillis() {
                return 0;
            }
        });
        assertThatThrownBy(() -> get(refused)).hasStackTraceContaining("its clock is behind");
        stop(wiped);
        get(start(wiped));
        assertThat(stores.get(wiped).boot()).isGreaterThan(recorded);
        up(wiped);
    }

    @Test
    void survivorGoesOnByForceAndOthersJoinItAfterAReset() throws Exception {
        startAll();
        for (String name : NAMES) {
            up(name);
        }
        RatisMetadataStore store = stores.get("a@host");
        get(store.submit(vhost("before")));
        get(store.submit(declaration("before", "q")));
        long epoch = store.cluster().placement(QueueName.of("before", "q")).epoch();
        for (String name : NAMES) {
            stop(name);
        }
        ForceBoot.prepare(settings("a@host"));
        get(start("a@host"));
        store = stores.get("a@host");
        assertThat(store.image().vhost(new VhostName("before"))).isNotNull();
        up("a@host");
        QueuePlacement placement = store.cluster().placement(QueueName.of("before", "q"));
        assertThat(placement.epoch()).isGreaterThan(1L << 48).isGreaterThan(epoch);

        // With its old data a node must not come back, and says so; reset, it joins.
        start("b@host");
        await().until(() -> !faults.isEmpty());
        assertThat(faults).anyMatch(each -> each.contains("a survivor was forced to go on without this node"));
        // It says so as long as it runs.
        stop("b@host");
        faults.clear();
        removeTree(folder.resolve("b@host"));
        get(start("b@host"));
        assertThat(get(stores.get("b@host").upToDate()).vhost(new VhostName("before")))
                .isNotNull();
        up("b@host");
    }

    @Test
    void forgottenNodeVotesNoMore() throws Exception {
        startAll();
        for (String name : NAMES) {
            up(name);
        }
        String leader = leader();
        List<String> others =
                NAMES.stream().filter(each -> !each.equals(leader)).toList();
        RatisMetadataStore store = stores.get(leader);
        stop(others.get(0));
        NodeName gone = n(others.get(0));
        get(store.propose(
                new ClusterCommand.NodeDown(gone, store.cluster().node(gone).boot())));
        get(store.propose(new ClusterCommand.ForgetNode(gone)));
        await().until(() -> store.voters().equals(Set.of(n(leader), n(others.get(1)))));
    }

    private static DefinitionChange declaration(String vhost, String queue) {
        return new DefinitionChange.DeclareQueue(
                new QueueDefinition(QueueName.of(vhost, queue), true, false, false, Map.of()), null);
    }

    private static void removeTree(Path path) throws IOException {
        try (Stream<Path> all = Files.walk(path)) {
            for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(each);
            }
        }
    }

    @Test
    void damagedSnapshotKeepsTheNodeFromStarting() throws Exception {
        voters = voters.subList(0, 1);
        get(start("a@host"));
        RatisMetadataStore store = stores.get("a@host");
        get(store.submit(vhost("v")));
        get(store.takeSnapshot());
        stop("a@host");
        List<Path> snapshots;
        try (Stream<Path> all = Files.walk(folder)) {
            snapshots = all.filter(each -> each.getFileName().toString().matches("snapshot\\.\\d+_\\d+"))
                    .toList();
        }
        assertThat(snapshots).isNotEmpty();
        for (Path each : snapshots) {
            byte[] bytes = Files.readAllBytes(each);
            bytes[bytes.length / 2] ^= 1;
            Files.write(each, bytes);
        }
        assertThatThrownBy(() -> start("a@host")).hasStackTraceContaining("is damaged");
        stores.remove("a@host").close();
    }
}
