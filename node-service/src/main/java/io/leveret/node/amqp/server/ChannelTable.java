package io.leveret.node.amqp.server;

import io.leveret.model.UserName;
import io.leveret.node.amqp.wire.AmqpException;
import io.leveret.node.amqp.wire.ChannelMethod;
import io.leveret.node.amqp.wire.Method;
import io.leveret.node.amqp.wire.ReplyCode;
import io.leveret.node.runtime.Cancellable;
import io.netty.util.collection.IntObjectHashMap;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The channels of one open connection, by number. Bound: the negotiated channel_max, which counts them. */
final class ChannelTable {
    private final ConnectionRegistry registry;
    private final ConnectionContext context;
    private final UserName user;
    private final int max;
    /** 0: none. */
    private final long settleTimeoutMillis;

    private final IntObjectHashMap<AmqpChannel> channels = new IntObjectHashMap<>();
    private final IntObjectHashMap<Admission.Place> places = new IntObjectHashMap<>();
    private @Nullable Cancellable timer;
    private @Nullable Runnable whenLeft;

    ChannelTable(ConnectionRegistry registry, ConnectionContext context, int max, long settleTimeoutMillis) {
        this.registry = registry;
        this.context = context;
        this.user = context.login().user();
        this.max = max;
        this.settleTimeoutMillis = settleTimeoutMillis;
    }

    void onMethod(int number, Method method) {
        AmqpChannel channel = channels.get(number);
        if (channel != null) {
            channel.onMethod(method);
        } else if (method instanceof ChannelMethod.Open) {
            open(number);
        } else {
            throw notOpen().at(method.classId(), method.methodId());
        }
    }

    /** @throws AmqpException when it is not open */
    AmqpChannel get(int number) {
        AmqpChannel channel = channels.get(number);
        if (channel == null) {
            throw notOpen();
        }
        return channel;
    }

    private void open(int number) {
        if (channels.size() >= max) {
            throw AmqpException.connection(
                    ReplyCode.NOT_ALLOWED,
                    "number of channels opened (" + channels.size() + ") has reached the negotiated channel_max (" + max
                            + ")");
        }
        Admission.Place place =
                registry.admission().channel(user, context.vhost().name(), context.executor());
        AmqpChannel channel = new AmqpChannel(number, context, registry.nextSerial());
        channels.put(number, channel);
        places.put(number, place);
        registry.channelOpened();
        scheduleTimeouts();
        channel.await(place.verdict(), refusal -> {
            if (refusal != null) {
                throw AmqpException.connection(ReplyCode.NOT_ALLOWED, refusal);
            }
            channel.send(new ChannelMethod.OpenOk());
        });
    }

    private void free(AmqpChannel channel) {
        registry.channelClosed(context.vhost().name(), channel.exchangeCounts());
        Admission.Place place = places.remove(channel.number());
        if (place != null) {
            place.giveBack();
        }
    }

    /** One timer for all channels, while there are any. */
    private void scheduleTimeouts() {
        if (settleTimeoutMillis > 0 && timer == null && !channels.isEmpty()) {
            timer = context.executor().schedule(this::checkTimeouts, SettleTimeout.intervalNanos(settleTimeoutMillis));
        }
    }

    private void checkTimeouts() {
        timer = null;
        new ArrayList<>(channels.values()).forEach(channel -> channel.checkTimeout(settleTimeoutMillis));
        scheduleTimeouts();
    }

    private static AmqpException notOpen() {
        return AmqpException.connection(ReplyCode.CHANNEL_ERROR, "expected 'channel.open'");
    }

    /** The number is free. */
    void released(int number) {
        AmqpChannel gone = channels.remove(number);
        if (gone != null) {
            free(gone);
        }
        Runnable then = whenLeft;
        if (then != null && channels.isEmpty()) {
            whenLeft = null;
            then.run();
        }
    }

    /** Ends each channel, without a word, when it has done what it was told. @param then runs when none is left, perhaps at once */
    void leave(Runnable then) {
        List<AmqpChannel> all = new ArrayList<>(channels.values());
        if (all.isEmpty()) {
            then.run();
        } else {
            whenLeft = then;
            all.forEach(AmqpChannel::leave);
        }
    }

    /** Ends them all without a word. */
    void terminate() {
        if (timer != null) {
            timer.cancel();
            timer = null;
        }
        whenLeft = null;
        List<AmqpChannel> all = new ArrayList<>(channels.values());
        channels.clear();
        all.forEach(channel -> {
            channel.terminate();
            free(channel);
        });
    }

    /** The socket takes more. */
    void writable() {
        channels.values().forEach(AmqpChannel::writable);
    }

    int size() {
        return channels.size();
    }

    List<ChannelStatistics> statistics(InetSocketAddress peer) {
        return channels.values().stream()
                .map(channel -> channel.statistics(peer))
                .toList();
    }
}
