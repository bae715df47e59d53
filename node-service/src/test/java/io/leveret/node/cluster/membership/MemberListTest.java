package io.leveret.node.cluster.membership;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leveret.model.NodeName;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class MemberListTest {
    private final MemberList list = new MemberList(10);

    private static SortedMap<NodeName, Member> seen(String... names) {
        TreeMap<NodeName, Member> seen = new TreeMap<>();
        for (String each : names) {
            NodeName name = new NodeName(each);
            seen.put(name, new Member(name, new UUID(1, 1), 1, "1", 10, Map.of()));
        }
        return seen;
    }

    /** A start that looks, and a member that comes before the start has put down what it saw. */
    @Test
    void whatWasSeenEarlierDoesNotReplaceWhatWasSeenLater() throws InterruptedException {
        Thread later = new Thread(() -> list.compare(() -> seen("a", "b")));
        list.compare(() -> {
            later.start();
            await().until(() ->
                    later.getState() == Thread.State.BLOCKED || later.getState() == Thread.State.TERMINATED);
            return seen("a");
        });
        later.join();
        assertThat(list.members().keySet()).extracting(NodeName::value).containsExactly("a", "b");
    }
}
