/** What all features share: paths of the HTTP API, lists, errors, layout. */
@NullMarked
package io.leveret.admin.web;

import org.jspecify.annotations.NullMarked;
