package io.leveret.node.broker.queue;

/** How many messages there are of each priority. Costs nothing while all are 0, as in most queues. */
final class PriorityCounts {
    private static final int PRIORITIES = 256;

    /** Above 0 only. */
    private long[] counts = {};

    private int top;

    void add(int priority) {
        if (priority > 0) {
            counts = counts.length == 0 ? new long[PRIORITIES] : counts;
            counts[priority]++;
            top = Math.max(top, priority);
        }
    }

    void remove(int priority) {
        if (priority > 0) {
            counts[priority]--;
            while (top > 0 && counts[top] == 0) {
                top--;
            }
        }
    }

    /** The highest priority that has any; 0 when none above has. */
    int top() {
        return top;
    }
}
