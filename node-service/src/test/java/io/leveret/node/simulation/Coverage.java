package io.leveret.node.simulation;

import io.leveret.node.cluster.metadata.Promotion;
import java.util.HashMap;
import java.util.Map;

/** What a run, or many, went through. */
final class Coverage {
    int confirmed;
    int refused;
    int acked;
    int committed;
    int handedOver;
    int inheritedAsNew;
    int lossy;
    int crashes;
    int wipes;
    int checkpoints;
    int deletes;
    int merges;
    int late;
    int pushBacks;
    long purged;
    int letters;
    int lettersChecked;
    int lettersKnown;
    long epochs;
    final Map<Promotion.Kind, Integer> promotions = new HashMap<>();

    void add(Ledger ledger) {
        confirmed += ledger.confirmedCount();
        refused += ledger.refusedCount();
        acked += ledger.ackedCount();
        committed += ledger.committedCount();
        lossy += ledger.lossyCount();
    }

    void add(Coverage other) {
        confirmed += other.confirmed;
        refused += other.refused;
        acked += other.acked;
        committed += other.committed;
        handedOver += other.handedOver;
        inheritedAsNew += other.inheritedAsNew;
        lossy += other.lossy;
        crashes += other.crashes;
        wipes += other.wipes;
        checkpoints += other.checkpoints;
        deletes += other.deletes;
        merges += other.merges;
        late += other.late;
        pushBacks += other.pushBacks;
        purged += other.purged;
        letters += other.letters;
        lettersChecked += other.lettersChecked;
        lettersKnown += other.lettersKnown;
        epochs += other.epochs;
        other.promotions.forEach((kind, count) -> promotions.merge(kind, count, Integer::sum));
    }

    @Override
    public String toString() {
        return "confirmed " + confirmed + ", refused " + refused + ", acked " + acked + ", acks in commits " + committed
                + ", epochs " + epochs
                + ", promotions " + promotions + ", crashes " + crashes + ", wipes " + wipes + ", checkpoints "
                + checkpoints + ", deletes "
                + deletes + ", merged " + merges + ", shrinks asked " + late + ", purged " + purged
                + ", pushed back " + pushBacks + ", handed over " + handedOver + ", inherited as new " + inheritedAsNew;
    }
}
