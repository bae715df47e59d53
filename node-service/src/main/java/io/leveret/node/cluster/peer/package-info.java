/** The link between two nodes: framing, handshake, flow control. Knows no queue. */
@NullMarked
package io.leveret.node.cluster.peer;

import org.jspecify.annotations.NullMarked;
