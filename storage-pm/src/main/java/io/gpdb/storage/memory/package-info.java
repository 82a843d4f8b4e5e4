/** Memory: with and without a persistence domain, accounted, of the host and of devices. */
@NullMarked
package io.gpdb.storage.memory;

import org.jspecify.annotations.NullMarked;
