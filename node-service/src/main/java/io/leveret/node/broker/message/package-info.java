/** A message: where it was sent, its properties, its body as bytes. */
@NullMarked
package io.leveret.node.broker.message;

import org.jspecify.annotations.NullMarked;
