/** The management plane. */
@NullMarked
package io.leveret.admin;

import org.jspecify.annotations.NullMarked;
