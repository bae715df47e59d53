package io.leveret.node.broker.definitions;

/** Is told what changed, once per change and in the order of the changes, on one thread that must not be held up. */
@FunctionalInterface
public interface DefinitionsListener {
    /** @param image the definitions with {@code delta} in them */
    void changed(DefinitionsDelta delta, DefinitionsImage image);
}
