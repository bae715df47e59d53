/** Bytes to frames to methods, and back. */
@NullMarked
package io.leveret.node.amqp.wire;

import org.jspecify.annotations.NullMarked;
