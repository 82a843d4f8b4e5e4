/** Directories of persistent memory: files, channels and the locks of their owners. */
@NullMarked
package io.gpdb.storage.medium;

import org.jspecify.annotations.NullMarked;
