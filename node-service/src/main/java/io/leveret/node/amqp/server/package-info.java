/** One client connection: its channels, consumers, confirms and unacked deliveries. */
@NullMarked
package io.leveret.node.amqp.server;

import org.jspecify.annotations.NullMarked;
