/** A queue led elsewhere, seen as a local one. */
@NullMarked
package io.leveret.node.cluster.remote;

import org.jspecify.annotations.NullMarked;
