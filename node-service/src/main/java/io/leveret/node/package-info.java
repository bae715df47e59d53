/** A broker node: composition root. */
@NullMarked
package io.leveret.node;

import org.jspecify.annotations.NullMarked;
