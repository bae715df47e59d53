/** What the HTTP API shows, in RabbitMQ's JSON spellings: the only place that knows them. */
@NullMarked
package io.leveret.model.view;

import org.jspecify.annotations.NullMarked;
