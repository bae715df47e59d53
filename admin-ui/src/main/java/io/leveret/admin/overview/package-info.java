/** The cluster at a glance. */
@NullMarked
package io.leveret.admin.overview;

import org.jspecify.annotations.NullMarked;
