/** Memory, with and without a persistence domain, and the checksums of its ranges. */
@NullMarked
package io.gpdb.storage.memory;

import org.jspecify.annotations.NullMarked;
