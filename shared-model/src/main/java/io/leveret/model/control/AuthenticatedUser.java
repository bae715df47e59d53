package io.leveret.model.control;

import java.util.List;

/**
 * A user whose password was right.
 *
 * @param vhosts the vhosts where the user has a permission
 */
public record AuthenticatedUser(String name, List<String> tags, List<String> vhosts) {}
