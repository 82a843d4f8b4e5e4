package io.gpdb.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.jooq.impl.DSL.count;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.sum;
import static org.jooq.impl.DSL.table;

import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.DriverManager;
import java.util.List;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.SQLDialect;
import org.jooq.Table;
import org.jooq.conf.Settings;
import org.jooq.exception.DataAccessException;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;

/** jOOQ with its dialect DEFAULT. */
class JooqTest extends ClientTest {
  private static final Table<Record> CITY = table(name("CITY"));
  private static final Field<Integer> ID = field(name("ID"), SQLDataType.INTEGER);
  private static final Field<String> NAME = field(name("NAME"), SQLDataType.VARCHAR);
  private static final Field<BigDecimal> AREA = field(name("AREA"), SQLDataType.DECIMAL(10, 2));

  @Override
  void run(String url) throws Exception {
    try (Connection connection = DriverManager.getConnection(url)) {
      DSLContext jooq =
          DSL.using(connection, SQLDialect.DEFAULT, new Settings().withExecuteLogging(false));
      jooq.createTable(CITY)
          .column(ID, SQLDataType.INTEGER.notNull())
          .column(NAME, SQLDataType.VARCHAR(30))
          .column(AREA, SQLDataType.DECIMAL(10, 2))
          .constraints(DSL.primaryKey(ID))
          .execute();
      jooq.insertInto(CITY, ID, NAME, AREA)
          .values(1, "Rome", new BigDecimal("1285.31"))
          .values(2, "Oslo", null)
          .execute();
      assertThat(
              jooq.batch(jooq.insertInto(CITY, ID, NAME).values((Integer) null, null))
                  .bind(3, "Bern")
                  .bind(4, "Riga")
                  .execute())
          .containsExactly(1, 1);
      queries(jooq);
      transactions(jooq);
      metadata(jooq);
    }
  }

  private static void queries(DSLContext jooq) {
    List<String> page = jooq.select(NAME).from(CITY).orderBy(NAME).limit(2).offset(1).fetch(NAME);
    assertThat(page).containsExactly("Oslo", "Riga");
    assertThat(jooq.select(count(), sum(AREA)).from(CITY).fetchOne().value1()).isEqualTo(4);
    assertThat(jooq.fetchCount(CITY, AREA.isNull())).isEqualTo(3);
    assertThat(jooq.update(CITY).set(NAME, NAME.concat("!")).where(ID.in(1, 2)).execute())
        .isEqualTo(2);
    assertThatThrownBy(() -> jooq.insertInto(CITY, ID).values(1).execute())
        .isInstanceOf(DataAccessException.class)
        .hasMessageContaining("CITY");
  }

  private static void transactions(DSLContext jooq) {
    jooq.transaction(
        outer -> {
          outer.dsl().deleteFrom(CITY).where(ID.eq(4)).execute();
          assertThatThrownBy(
                  () ->
                      outer
                          .dsl()
                          .transaction(
                              inner -> {
                                inner.dsl().deleteFrom(CITY).execute();
                                throw new IllegalStateException("undo");
                              }))
              .hasMessageContaining("undo");
        });
    assertThat(jooq.fetchCount(CITY)).isEqualTo(3);
  }

  private static void metadata(DSLContext jooq) {
    Table<?> found = jooq.meta().getTables("CITY").getFirst();
    assertThat(found.fields()).extracting(Field::getName).containsExactly("ID", "NAME", "AREA");
    assertThat(found.getPrimaryKey().getFields()).extracting(Field::getName).containsExactly("ID");
  }
}
