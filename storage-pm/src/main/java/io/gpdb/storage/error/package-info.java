/** What went wrong, as every module says it, and the signal that stops a statement. */
@NullMarked
package io.gpdb.storage.error;

import org.jspecify.annotations.NullMarked;
