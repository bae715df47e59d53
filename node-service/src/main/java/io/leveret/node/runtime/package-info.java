/** Time, threads, chance, limits, faults and small files: the only home of each. */
@NullMarked
package io.leveret.node.runtime;

import org.jspecify.annotations.NullMarked;
