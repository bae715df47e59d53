/** Who changed what, when, and how it was before. */
@NullMarked
package io.leveret.admin.history;

import org.jspecify.annotations.NullMarked;
