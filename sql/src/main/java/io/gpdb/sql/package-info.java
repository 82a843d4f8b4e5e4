@NullMarked
package io.gpdb.sql;

import org.jspecify.annotations.NullMarked;
