package io.gpdb.bench.crash;

import io.gpdb.storage.CrashImage;
import org.jspecify.annotations.Nullable;

/**
 * A state from which a recovery begins.
 *
 * @param contents what is recovered
 * @param interrupted what the transaction would have left that was being committed
 */
record RecoveryStart(
    Setting setting, CrashImage image, Contents contents, @Nullable Contents interrupted) {}
