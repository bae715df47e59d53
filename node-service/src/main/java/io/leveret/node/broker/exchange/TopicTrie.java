package io.leveret.node.broker.exchange;

import io.leveret.model.definition.BindingDefinition;
import io.leveret.model.definition.BindingDefinition.Destination;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Topic: keys are words between dots; in a binding key {@code *} stands for one word and {@code #} for any number of words,
 * none included. The binding keys are the paths of a trie. A routing key walks it on all matching paths at once, word by
 * word, holding the set of places where it may be: the cost is words times places, whatever the binding keys look like.
 */
final class TopicTrie implements BindingTable {
    private static final String ONE_WORD = "*";
    private static final String ANY_WORDS = "#";

    private final Place root = new Place(false);

    TopicTrie(Collection<BindingDefinition> bindings) {
        for (BindingDefinition binding : bindings) {
            Place place = root;
            for (String word : words(binding.bindingKey())) {
                place = place.next.computeIfAbsent(word, key -> new Place(key.equals(ANY_WORDS)));
            }
            place.destinations.add(binding.destination());
        }
    }

    @Override
    public void match(String routingKey, Map<String, ? extends @Nullable Object> headers, Matches matches) {
        Set<Place> here = new LinkedHashSet<>();
        enter(root, here);
        for (String word : words(routingKey)) {
            Set<Place> next = new LinkedHashSet<>();
            for (Place place : here) {
                if (place.isAnyWords) {
                    enter(place, next);
                }
                enter(place.next.get(word), next);
                enter(place.next.get(ONE_WORD), next);
            }
            here = next;
        }
        here.forEach(place -> place.destinations.forEach(matches::add));
    }

    /** Being at a place is also being after the # that follows it, which may stand for no word. */
    private static void enter(@Nullable Place place, Set<Place> into) {
        if (place != null && into.add(place)) {
            enter(place.next.get(ANY_WORDS), into);
        }
    }

    /** The empty key has no word; every dot ends one and begins another, so words may be empty. */
    static List<String> words(String key) {
        if (key.isEmpty()) {
            return List.of();
        }
        List<String> words = new ArrayList<>();
        int start = 0;
        for (int dot = key.indexOf('.'); dot >= 0; dot = key.indexOf('.', start)) {
            words.add(key.substring(start, dot));
            start = dot + 1;
        }
        words.add(key.substring(start));
        return words;
    }

    /** A node of the trie; equal only to itself. */
    private static final class Place {
        private final boolean isAnyWords;
        private final Map<String, Place> next = new HashMap<>();
        private final List<Destination> destinations = new ArrayList<>();

        Place(boolean isAnyWords) {
            this.isAnyWords = isAnyWords;
        }
    }
}
