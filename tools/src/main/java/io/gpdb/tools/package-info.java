/**
 * What tools look for to know gpDB: a Hibernate dialect, a Flyway plugin, a Liquibase database and
 * a Spring Data JDBC dialect, each found by the tool itself when this jar is on the class path.
 */
@org.jspecify.annotations.NullMarked
package io.gpdb.tools;
