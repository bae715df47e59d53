package io.leveret.model;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ByteSizeTest {
    @Test
    void unitsAreThoseOfTheConfiguration() {
        assertThat(ByteSize.parse("1024")).hasValue(1024);
        assertThat(ByteSize.parse("50MB")).hasValue(50_000_000);
        assertThat(ByteSize.parse("50mb")).hasValue(50_000_000);
        assertThat(ByteSize.parse("2GiB")).hasValue(2L << 30);
        assertThat(ByteSize.parse("2G")).hasValue(2L << 30);
        assertThat(ByteSize.parse("3kB")).hasValue(3_000);
        assertThat(ByteSize.parse("3k")).hasValue(3_072);
    }

    @Test
    void whatIsNoAmountIsNothing() {
        for (String wrong : new String[] {"", "bogus", "-1", "1.5GB", "GB", "5 PB", "999999999999999999GB"}) {
            assertThat(ByteSize.parse(wrong)).as(wrong).isEmpty();
        }
    }
}
