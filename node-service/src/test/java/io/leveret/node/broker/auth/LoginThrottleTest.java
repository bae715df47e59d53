package io.leveret.node.broker.auth;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LoginThrottleTest {
    private final LoginThrottle throttle = new LoginThrottle();
    private long now = 5;

    private static InetAddress address(int i) {
        try {
            return InetAddress.getByAddress(new byte[] {10, (byte) (i >> 16), (byte) (i >> 8), (byte) i});
        } catch (UnknownHostException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void theFirstFailuresAreFreeAndLaterOnesCostMoreAndMore() {
        for (int i = 0; i < LoginThrottle.FREE_FAILURES; i++) {
            assertThat(throttle.failed(address(1), now)).isZero();
        }
        assertThat(throttle.failed(address(1), now)).isEqualTo(LoginThrottle.STEP_NANOS);
        assertThat(throttle.failed(address(1), now)).isEqualTo(2 * LoginThrottle.STEP_NANOS);
        for (int i = 0; i < 100; i++) {
            throttle.failed(address(1), now);
        }
        assertThat(throttle.failed(address(1), now)).isEqualTo(LoginThrottle.EXTRA_NANOS_MAX);
        assertThat(throttle.failed(address(2), now)).as("another address").isZero();
    }

    @Test
    void whatIsLongAgoIsForgiven() {
        for (int i = 0; i < LoginThrottle.FREE_FAILURES + 2; i++) {
            throttle.failed(address(1), now);
        }
        now += 2 * LoginThrottle.FORGIVEN_NANOS;
        assertThat(throttle.failed(address(1), now)).isEqualTo(LoginThrottle.STEP_NANOS);
        now += TimeUnit.HOURS.toNanos(1);
        for (int i = 0; i < LoginThrottle.FREE_FAILURES; i++) {
            assertThat(throttle.failed(address(1), now)).isZero();
        }
    }

    @Test
    void anAddressHasSoManyPlacesAndIsNotListenedToWhenTheyAreTaken() {
        for (int i = 0; i < LoginThrottle.HELD_PER_SOURCE_MAX; i++) {
            assertThat(throttle.mayTry(address(1))).isTrue();
            assertThat(throttle.hold(address(1), now)).isTrue();
        }
        assertThat(throttle.mayTry(address(1))).isFalse();
        assertThat(throttle.hold(address(1), now)).isFalse();
        assertThat(throttle.mayTry(address(2))).isTrue();
        throttle.release(address(1));
        assertThat(throttle.mayTry(address(1))).isTrue();
    }

    @Test
    void allAddressesTogetherHaveSoManyPlaces() {
        for (int i = 0; i < LoginThrottle.HELD_MAX; i++) {
            assertThat(throttle.hold(address(i), now)).isTrue();
        }
        assertThat(throttle.hold(address(LoginThrottle.HELD_MAX), now)).isFalse();
        assertThat(throttle.held()).isEqualTo(LoginThrottle.HELD_MAX);
        throttle.release(address(0));
        assertThat(throttle.hold(address(LoginThrottle.HELD_MAX), now)).isTrue();
    }

    @Test
    void aNetworkOfIpv6IsOneAddress() throws UnknownHostException {
        for (int i = 0; i < LoginThrottle.FREE_FAILURES; i++) {
            throttle.failed(InetAddress.getByName("2001:db8:0:1::" + Integer.toHexString(i)), now);
        }
        assertThat(throttle.failed(InetAddress.getByName("2001:db8:0:1:ffff::1"), now))
                .isEqualTo(LoginThrottle.STEP_NANOS);
        assertThat(throttle.failed(InetAddress.getByName("2001:db8:0:2::1"), now))
                .isZero();
    }

    @Test
    void addressesAreForgottenWhenThereAreTooManyAndTheyAreForgiven() {
        for (int i = 0; i < LoginThrottle.SOURCES_MAX; i++) {
            throttle.failed(address(i), now);
        }
        assertThat(throttle.failed(address(LoginThrottle.SOURCES_MAX), now))
                .as("one too many is slowed down as if it had failed often")
                .isEqualTo(LoginThrottle.EXTRA_NANOS_MAX);
        now += LoginThrottle.FORGIVEN_NANOS;
        assertThat(throttle.failed(address(LoginThrottle.SOURCES_MAX), now)).isZero();
    }
}
