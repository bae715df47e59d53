/** Queues. */
@NullMarked
package io.leveret.admin.queue;

import org.jspecify.annotations.NullMarked;
