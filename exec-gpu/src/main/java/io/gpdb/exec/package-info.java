@NullMarked
package io.gpdb.exec;

import org.jspecify.annotations.NullMarked;
