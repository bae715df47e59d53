package io.leveret.node.journal;

/**
 * What a recovery found.
 *
 * @param isWholeDamaged damage that cannot be told to belong to certain streams: every replica of this node, also one without
 *     any record here, counts as damaged
 * @param records records visited after checkpoints
 * @param stored records visited by their index alone
 * @param damagedStreams streams reported damaged
 * @param cutBytes bytes of a torn tail that were cut off; nothing of it had been promised
 */
public record RecoveryReport(boolean isWholeDamaged, long records, long stored, int damagedStreams, long cutBytes) {}
