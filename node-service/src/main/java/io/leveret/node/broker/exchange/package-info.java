/** Routing, as pure functions. */
@NullMarked
package io.leveret.node.broker.exchange;

import org.jspecify.annotations.NullMarked;
