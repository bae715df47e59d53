package io.leveret.model.definition;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * A regular expression from a user, searched for anywhere in a name (unanchored), with a bound on its steps: an expression
 * that needs more than {@value #STEPS_MAX} looks at characters for one name does not match it. The count depends on the
 * expression and the name alone, so every node decides alike, and no expression can hold up a node.
 */
public final class BoundedPattern {
    private static final int STEPS_MAX = 100_000;

    private final Pattern pattern;

    private BoundedPattern(Pattern pattern) {
        this.pattern = pattern;
    }

    /** @throws IllegalArgumentException when the expression is not valid */
    public static BoundedPattern compile(String expression) {
        try {
            return new BoundedPattern(Pattern.compile(expression));
        } catch (StackOverflowError e) {
            throw new IllegalArgumentException("the expression is nested too deeply");
        }
    }

    /** Whether the expression is found in the text within the bound. */
    public boolean isIn(String text) {
        try {
            return pattern.matcher(new Counted(text, new int[1], 0, text.length()))
                    .find();
        } catch (OutOfSteps | StackOverflowError e) {
            return false;
        }
    }

    /** What is wrong with an expression, or nothing. */
    static Optional<Fault> fault(String expression) {
        try {
            Pattern.compile(expression);
            return Optional.empty();
        } catch (PatternSyntaxException e) {
            return Optional.of(faultOf(expression, e));
        } catch (StackOverflowError e) {
            return Optional.of(new Fault("regular expression is too large", 0));
        }
    }

    private static Fault faultOf(String expression, PatternSyntaxException e) {
        String java = e.getDescription();
        if (java.startsWith("Unclosed group")) {
            return new Fault("missing )", expression.length());
        }
        if (java.startsWith("Unclosed character class") || java.startsWith("Illegal character range")) {
            return new Fault("missing terminating ] for character class", expression.length());
        }
        if (java.startsWith("Dangling meta character")) {
            return new Fault("nothing to repeat", Math.max(e.getIndex(), 0));
        }
        if (java.startsWith("Unmatched closing ')'")) {
            return new Fault("unmatched parentheses", Math.max(e.getIndex() + 1, 0));
        }
        return new Fault(java.toLowerCase(Locale.ROOT), Math.max(e.getIndex(), 0));
    }

    /** A fault, and the index where it was noticed. */
    record Fault(String what, int index) {}

    /** The text, counting each look at it. */
    private record Counted(String text, int[] steps, int from, int to) implements CharSequence {
        @Override
        public char charAt(int index) {
            if (++steps[0] > STEPS_MAX) {
                throw new OutOfSteps();
            }
            return text.charAt(from + index);
        }

        @Override
        public int length() {
            return to - from;
        }

        @Override
        public CharSequence subSequence(int start, int end) {
            return new Counted(text, steps, from + start, from + end);
        }

        @Override
        public String toString() {
            return text.substring(from, to);
        }
    }

    /** The bound was reached. */
    private static final class OutOfSteps extends RuntimeException {
        OutOfSteps() {
            super("too many steps", null, false, false);
        }
    }
}
