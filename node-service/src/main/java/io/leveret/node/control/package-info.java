/** The node's HTTP API for the admin and the command line. */
@NullMarked
package io.leveret.node.control;

import org.jspecify.annotations.NullMarked;
