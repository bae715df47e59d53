/** Validated names: a bare String never crosses a package border. */
@NullMarked
package io.leveret.model;

import org.jspecify.annotations.NullMarked;
