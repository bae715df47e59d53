/** Bindings. */
@NullMarked
package io.leveret.admin.binding;

import org.jspecify.annotations.NullMarked;
