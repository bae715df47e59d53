package io.leveret.model.view;

import java.util.List;

/** The user who asks. */
public record WhoamiView(String name, List<String> tags) {}
