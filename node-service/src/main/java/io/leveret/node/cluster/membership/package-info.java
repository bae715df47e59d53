/** Hazelcast: who is alive. Hints only, never a decision. */
@NullMarked
package io.leveret.node.cluster.membership;

import org.jspecify.annotations.NullMarked;
