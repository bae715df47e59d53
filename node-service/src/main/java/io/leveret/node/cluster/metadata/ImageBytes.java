package io.leveret.node.cluster.metadata;

import io.leveret.model.ExchangeName;
import io.leveret.model.NodeName;
import io.leveret.model.QueueName;
import io.leveret.model.VhostName;
import io.leveret.node.broker.definitions.ByteReader;
import io.leveret.node.broker.definitions.ByteWriter;
import io.leveret.node.broker.definitions.ImageCodec;
import io.leveret.node.broker.definitions.MalformedBytesException;
import io.leveret.node.broker.definitions.Outcome;
import io.leveret.node.broker.definitions.Outcome.Refusal;
import io.leveret.node.broker.definitions.Outcome.RefusalKind;
import io.leveret.node.cluster.metadata.ClusterImage.ClientResults;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.pcollections.TreePMap;

/** A whole image as bytes, for snapshots: magic, version, fields, CRC-32C. Equal images give equal bytes. */
final class ImageBytes {
    /** "LVMI" */
    private static final int MAGIC = 0x4c564d49;

    private static final int VERSION = 1;

    private ImageBytes() {}

    static byte[] encode(ClusterImage image) {
        ByteWriter out = new ByteWriter();
        out.i32(MAGIC);
        out.u8(VERSION);
        out.varint(image.index);
        out.varint(image.generation);
        out.varint(image.lastNumber);
        out.bool(image.isFormed);
        ImageCodec.write(out, image.definitions);
        out.varint(image.nodes.size());
        image.nodes.values().forEach(node -> write(out, node));
        out.varint(image.placements.size());
        image.placements.values().forEach(placement -> write(out, placement));
        out.varint(image.transientExchanges.size());
        image.transientExchanges.forEach((name, declared) -> {
            out.string(name.vhost().value());
            out.string(name.value());
            out.varint(declared);
        });
        out.varint(image.results.size());
        image.results.forEach((node, client) -> write(out, node, client));
        return out.sealed();
    }

    /** @throws MalformedBytesException when the bytes are no image of this version */
    static ClusterImage decode(byte[] bytes) {
        ByteReader in = ByteReader.ofSealed(bytes);
        int magic = in.i32();
        int version = in.u8();
        if (magic != MAGIC || version != VERSION) {
            throw new MalformedBytesException("not a metadata image, or one of version " + version);
        }
        try {
            ClusterImage image = fields(in);
            in.end();
            return image;
        } catch (IllegalArgumentException e) {
            throw new MalformedBytesException("an image with an impossible value", e);
        }
    }

    private static ClusterImage fields(ByteReader in) {
        ClusterEdit edit = new ClusterEdit();
        edit.index = in.varint();
        edit.generation = in.intVarint();
        edit.lastNumber = in.intVarint();
        edit.isFormed = in.bool();
        edit.definitions = ImageCodec.read(in);
        for (int left = in.count(); left > 0; left--) {
            edit.put(node(in));
        }
        for (int left = in.count(); left > 0; left--) {
            edit.put(placement(in));
        }
        for (int left = in.count(); left > 0; left--) {
            ExchangeName name = new ExchangeName(new VhostName(in.string()), in.string());
            edit.transientExchanges = edit.transientExchanges.plus(name, in.varint());
        }
        for (int left = in.count(); left > 0; left--) {
            edit.results = edit.results.plus(new NodeName(in.string()), client(in));
        }
        return edit.image();
    }

    static void writeUuid(ByteWriter out, UUID id) {
        out.i64(id.getMostSignificantBits());
        out.i64(id.getLeastSignificantBits());
    }

    static UUID uuid(ByteReader in) {
        return new UUID(in.i64(), in.i64());
    }

    private static void write(ByteWriter out, ClusterNode node) {
        out.string(node.name().value());
        out.varint(node.number());
        writeUuid(out, node.storeId());
        out.varint(node.boot());
        out.bool(node.isLive());
        out.bool(node.isDraining());
        out.bool(node.isWitness());
        out.varint(node.upSince());
    }

    private static ClusterNode node(ByteReader in) {
        return new ClusterNode(
                new NodeName(in.string()),
                in.intVarint(),
                uuid(in),
                in.varint(),
                in.bool(),
                in.bool(),
                in.bool(),
                in.varint());
    }

    private static void write(ByteWriter out, QueuePlacement placement) {
        out.string(placement.queue().vhost().value());
        out.string(placement.queue().value());
        out.varint(placement.incarnation());
        out.varint(placement.epoch());
        NodeName leader = placement.leader();
        out.optionalString(leader == null ? null : leader.value());
        out.varint(placement.version());
        out.bool(placement.isOpened());
        out.varint(placement.lossyEpoch());
        out.bool(placement.isStopped());
        out.varint(placement.replicas().size());
        for (Replica each : placement.replicas()) {
            out.string(each.node().value());
            out.varint(each.generation());
            out.varint(each.leftAt());
            out.bool(each.isInSync());
            out.bool(each.isHolder());
            out.bool(each.isAbandoned());
        }
    }

    private static QueuePlacement placement(ByteReader in) {
        QueueName queue = new QueueName(new VhostName(in.string()), in.string());
        long incarnation = in.varint();
        long epoch = in.varint();
        String leader = in.optionalString();
        long version = in.varint();
        boolean isOpened = in.bool();
        long lossyEpoch = in.varint();
        boolean isStopped = in.bool();
        List<Replica> replicas = new ArrayList<>();
        for (int left = in.count(); left > 0; left--) {
            replicas.add(
                    new Replica(new NodeName(in.string()), in.varint(), in.varint(), in.bool(), in.bool(), in.bool()));
        }
        return new QueuePlacement(
                queue,
                incarnation,
                epoch,
                leader == null ? null : new NodeName(leader),
                version,
                isOpened,
                lossyEpoch,
                isStopped,
                List.copyOf(replicas));
    }

    private static void write(ByteWriter out, NodeName node, ClientResults client) {
        out.string(node.value());
        writeUuid(out, client.storeId());
        out.varint(client.boot());
        out.varint(client.floor());
        out.varint(client.byNumber().size());
        client.byNumber().forEach((number, outcome) -> {
            out.varint(number);
            writeOutcome(out, outcome);
        });
    }

    private static ClientResults client(ByteReader in) {
        UUID storeId = uuid(in);
        long boot = in.varint();
        long floor = in.varint();
        TreePMap<Long, Outcome> byNumber = TreePMap.empty();
        for (int left = in.count(); left > 0; left--) {
            byNumber = byNumber.plus(in.varint(), outcome(in));
        }
        return new ClientResults(storeId, boot, floor, byNumber);
    }

    /** Also the answer to a proposal. */
    static void writeOutcome(ByteWriter out, Outcome outcome) {
        out.u8(outcome.kind().ordinal());
        Refusal refusal = outcome.refusal();
        if (refusal != null) {
            out.u8(refusal.kind().ordinal());
            out.string(refusal.reason());
        }
    }

    static Outcome outcome(ByteReader in) {
        return switch (in.constant(Outcome.Kind.values())) {
            case CREATED -> Outcome.CREATED;
            case UPDATED -> Outcome.UPDATED;
            case UNCHANGED -> Outcome.UNCHANGED;
            case DELETED -> Outcome.DELETED;
            case REFUSED -> Outcome.refused(in.constant(RefusalKind.values()), in.string());
        };
    }
}
