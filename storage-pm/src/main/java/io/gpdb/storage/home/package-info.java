/** The home image: extents, superblocks and roots. */
@NullMarked
package io.gpdb.storage.home;

import org.jspecify.annotations.NullMarked;
