@NullMarked
package io.gpdb.storage;

import org.jspecify.annotations.NullMarked;
