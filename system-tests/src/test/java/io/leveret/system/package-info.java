/** Real processes and real clients: start, kill, freeze, compare. */
@NullMarked
package io.leveret.system;

import org.jspecify.annotations.NullMarked;
