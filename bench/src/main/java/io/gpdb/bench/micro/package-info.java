/** Parts of the engine measured one by one, by JMH. */
@NullMarked
package io.gpdb.bench.micro;

import org.jspecify.annotations.NullMarked;
