/** A vhost: route and enqueue. */
@NullMarked
package io.leveret.node.broker.vhost;

import org.jspecify.annotations.NullMarked;
