@NullMarked
package io.gpdb.jdbc;

import org.jspecify.annotations.NullMarked;
