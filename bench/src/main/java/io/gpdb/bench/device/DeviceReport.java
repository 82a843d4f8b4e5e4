package io.gpdb.bench.device;

import java.util.List;

/**
 * What was found on one machine.
 *
 * @param gpu its name and driver
 * @param host the rest of the machine
 * @param commit of the sources
 * @param day on which it was found
 */
record DeviceReport(String gpu, String host, String commit, String day, List<PartResult> parts) {}
