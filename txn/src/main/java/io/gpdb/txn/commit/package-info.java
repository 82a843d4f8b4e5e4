/** The records of commits, and their way into the log in groups. */
@NullMarked
package io.gpdb.txn.commit;

import org.jspecify.annotations.NullMarked;
