package io.leveret.admin.view;

import static org.assertj.core.api.Assertions.assertThat;

import io.leveret.model.control.ControlSignature;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class ControlSignatureTest {
    private static final ControlSignature.Request REQUEST =
            new ControlSignature.Request("PUT", "/control/policies/%2F/p?a=b", "gu%20est", "1796040943375", "abcdefgh");
    private static final byte[] BODY = "{}".getBytes(StandardCharsets.UTF_8);

    private final ControlSignature signature = new ControlSignature("secret");

    /** Both ends are ours, but not always of one version: the bytes are a contract. */
    @Test
    void isWhatItWasInEveryVersion() {
        assertThat(signature.sign(REQUEST, BODY)).isEqualTo("ppdPyCLb7M7yOkY0NJOcrdOn3af3t2ywwwsRQIAGEkU");
    }

    @Test
    void everythingThatMattersIsSigned() {
        String good = signature.sign(REQUEST, BODY);
        assertThat(signature.matches(REQUEST, BODY, good)).isTrue();
        assertThat(new ControlSignature("another").matches(REQUEST, BODY, good)).isFalse();
        assertThat(signature.matches(REQUEST, "{ }".getBytes(StandardCharsets.UTF_8), good))
                .isFalse();
        assertThat(List.of(
                        new ControlSignature.Request(
                                "POST", REQUEST.target(), REQUEST.user(), REQUEST.millis(), REQUEST.nonce()),
                        new ControlSignature.Request(
                                "PUT", "/control/policies/%2F/p", REQUEST.user(), REQUEST.millis(), REQUEST.nonce()),
                        new ControlSignature.Request("PUT", REQUEST.target(), "", REQUEST.millis(), REQUEST.nonce()),
                        new ControlSignature.Request("PUT", REQUEST.target(), REQUEST.user(), "1", REQUEST.nonce()),
                        new ControlSignature.Request("PUT", REQUEST.target(), REQUEST.user(), REQUEST.millis(), "n")))
                .noneMatch(other -> signature.matches(other, BODY, good));
    }
}
