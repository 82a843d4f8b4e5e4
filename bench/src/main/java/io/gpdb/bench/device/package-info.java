/**
 * What a device is tried with on its machine: contracts, scripts, answers, kills, times; a report.
 */
@NullMarked
package io.gpdb.bench.device;

import org.jspecify.annotations.NullMarked;
