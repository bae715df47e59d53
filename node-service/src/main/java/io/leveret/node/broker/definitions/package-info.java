/** What was declared, as an immutable image and the changes that make the next one. */
@NullMarked
package io.leveret.node.broker.definitions;

import org.jspecify.annotations.NullMarked;
