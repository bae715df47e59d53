/** Ratis: what is agreed. */
@NullMarked
package io.leveret.node.cluster.metadata;

import org.jspecify.annotations.NullMarked;
