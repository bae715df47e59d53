/** Connections, channels and consumers. */
@NullMarked
package io.leveret.admin.connection;

import org.jspecify.annotations.NullMarked;
