/** The text of a statement before it is parsed, and the messages of what is wrong with it. */
@NullMarked
package io.gpdb.sql.text;

import org.jspecify.annotations.NullMarked;
