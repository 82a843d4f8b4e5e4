@NullMarked
package io.gpdb.shell;

import org.jspecify.annotations.NullMarked;
