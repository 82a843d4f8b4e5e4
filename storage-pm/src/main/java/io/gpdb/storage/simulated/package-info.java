/** Media that crash and fail on request. */
@NullMarked
package io.gpdb.storage.simulated;

import org.jspecify.annotations.NullMarked;
