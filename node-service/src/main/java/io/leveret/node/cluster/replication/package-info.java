/** Leaders feed mirrors: the pure cores first, then their shell. */
@NullMarked
package io.leveret.node.cluster.replication;

import org.jspecify.annotations.NullMarked;
