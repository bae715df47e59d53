/** Requests and answers of a node's control API. */
@NullMarked
package io.leveret.model.control;

import org.jspecify.annotations.NullMarked;
