/** Policies and operator policies. */
@NullMarked
package io.leveret.admin.policy;

import org.jspecify.annotations.NullMarked;
