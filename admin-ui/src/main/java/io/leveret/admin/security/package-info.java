/** Who may come in, and what their tags allow. */
@NullMarked
package io.leveret.admin.security;

import org.jspecify.annotations.NullMarked;
