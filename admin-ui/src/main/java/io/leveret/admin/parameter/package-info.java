/** Parameters of vhosts and of the cluster. */
@NullMarked
package io.leveret.admin.parameter;

import org.jspecify.annotations.NullMarked;
