/** A node's storage: the shared write-ahead log and the segments of each queue. */
@NullMarked
package io.leveret.node.journal;

import org.jspecify.annotations.NullMarked;
