/** The command line. */
@NullMarked
package io.leveret.ctl;

import org.jspecify.annotations.NullMarked;
