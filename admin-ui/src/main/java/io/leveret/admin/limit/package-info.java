/** Virtual hosts and their limits. */
@NullMarked
package io.leveret.admin.limit;

import org.jspecify.annotations.NullMarked;
