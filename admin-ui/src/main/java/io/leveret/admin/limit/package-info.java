/** The page of the limits of virtual hosts and users. */
@NullMarked
package io.leveret.admin.limit;

import org.jspecify.annotations.NullMarked;
