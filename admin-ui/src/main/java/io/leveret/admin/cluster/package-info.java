/** How the pages and the HTTP API reach the broker nodes. */
@NullMarked
package io.leveret.admin.cluster;

import org.jspecify.annotations.NullMarked;
