/** What is lost and what goes on when a node is lost, from the facts that the nodes give. Pure. */
@NullMarked
package io.leveret.admin.safety;

import org.jspecify.annotations.NullMarked;
