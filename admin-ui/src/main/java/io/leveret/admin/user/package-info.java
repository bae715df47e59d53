/** Users, permissions and limits of users. */
@NullMarked
package io.leveret.admin.user;

import org.jspecify.annotations.NullMarked;
