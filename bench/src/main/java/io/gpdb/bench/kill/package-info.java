/**
 * Real kills: child processes work on one database over several connections and are killed with
 * SIGKILL at random moments; what is found on reopening is compared with a model of what they did.
 */
@NullMarked
package io.gpdb.bench.kill;

import org.jspecify.annotations.NullMarked;
