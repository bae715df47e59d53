/** A queue as state, events and one owner. */
@NullMarked
package io.leveret.node.broker.queue;

import org.jspecify.annotations.NullMarked;
