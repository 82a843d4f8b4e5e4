/** What a kernel is run on: devices, arguments, launches and their counters. */
@NullMarked
package io.gpdb.exec;

import org.jspecify.annotations.NullMarked;
