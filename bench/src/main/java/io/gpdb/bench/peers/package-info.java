/** The same work on gpDB and on other embedded databases, each in processes of its own. */
@NullMarked
package io.gpdb.bench.peers;

import org.jspecify.annotations.NullMarked;
