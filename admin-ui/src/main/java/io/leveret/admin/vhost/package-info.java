/** Virtual hosts, and the HTTP API of their limits. */
@NullMarked
package io.leveret.admin.vhost;

import org.jspecify.annotations.NullMarked;
