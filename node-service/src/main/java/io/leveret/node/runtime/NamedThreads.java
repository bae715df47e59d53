package io.leveret.node.runtime;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/** Makes daemon threads called {@code leveret-<name>-<n>}, so that a thread dump reads like the package map. */
public final class NamedThreads implements ThreadFactory {
    private final String name;
    private final AtomicInteger count = new AtomicInteger();

    public NamedThreads(String name) {
        this.name = name;
    }

    @Override
    public Thread newThread(Runnable task) {
        return named("leveret-" + name + "-" + count.incrementAndGet(), task);
    }

    static Thread named(String name, Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        return thread;
    }
}
