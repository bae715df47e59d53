/** Virtual hosts and their limits. */
@NullMarked
package io.leveret.admin.vhost;

import org.jspecify.annotations.NullMarked;
