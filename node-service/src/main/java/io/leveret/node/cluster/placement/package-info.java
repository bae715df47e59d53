/** Who should hold what, and the next safe step towards it. */
@NullMarked
package io.leveret.node.cluster.placement;

import org.jspecify.annotations.NullMarked;
