/** Export and import of all definitions. */
@NullMarked
package io.leveret.admin.definitions;

import org.jspecify.annotations.NullMarked;
