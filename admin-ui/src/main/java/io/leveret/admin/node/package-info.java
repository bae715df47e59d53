/** Nodes and health checks. */
@NullMarked
package io.leveret.admin.node;

import org.jspecify.annotations.NullMarked;
