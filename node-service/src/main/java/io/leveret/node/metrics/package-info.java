/** Figures pulled from the other packages. */
@NullMarked
package io.leveret.node.metrics;

import org.jspecify.annotations.NullMarked;
