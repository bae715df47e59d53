/** Definitions: what a user declares, and the rules that make it valid. */
@NullMarked
package io.leveret.model.definition;

import org.jspecify.annotations.NullMarked;
