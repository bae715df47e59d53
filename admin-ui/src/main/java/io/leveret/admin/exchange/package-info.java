/** Exchanges. */
@NullMarked
package io.leveret.admin.exchange;

import org.jspecify.annotations.NullMarked;
