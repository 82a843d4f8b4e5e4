@NullMarked
package io.gpdb.bench;

import org.jspecify.annotations.NullMarked;
