/** Who may log in and what they may do. */
@NullMarked
package io.leveret.node.broker.auth;

import org.jspecify.annotations.NullMarked;
