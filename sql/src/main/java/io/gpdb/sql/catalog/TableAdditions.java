package io.gpdb.sql.catalog;

import io.gpdb.sql.definition.CheckDef;
import io.gpdb.sql.definition.ColumnDef;
import io.gpdb.sql.definition.Deferrability;
import io.gpdb.sql.definition.DeferrableKey;
import io.gpdb.sql.definition.ForeignKeyDef;
import io.gpdb.sql.definition.IdentityDef;
import io.gpdb.sql.definition.IndexDef;
import io.gpdb.sql.definition.KeyDef;
import io.gpdb.sql.definition.ObjectName;
import io.gpdb.sql.definition.OnCommit;
import io.gpdb.sql.definition.PrivilegeDef;
import io.gpdb.sql.definition.SchemaNames;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.definition.ViewDef;
import io.gpdb.storage.column.FieldReader;
import io.gpdb.storage.column.IndexKind;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** The definition of a table or view while its additions are read, one after the other. */
final class TableAdditions {
  private TableDef table;
  private ViewDef.CheckOption checkOption = ViewDef.CheckOption.NONE;
  private String namesFrom = SchemaNames.PUBLIC;
  private @Nullable ObjectName base;
  private List<String> usedSchemas = List.of();
  private List<ObjectName> routines = List.of();

  TableAdditions(TableDef table) {
    this.table = table;
  }

  TableDef table() {
    return table;
  }

  String namesFrom() {
    return namesFrom;
  }

  /** The names that a view uses, of the schema PUBLIC where no others were written. */
  List<ObjectName> uses(List<String> names) {
    List<ObjectName> uses = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      uses.add(
          new ObjectName(
              usedSchemas.isEmpty() ? SchemaNames.PUBLIC : usedSchemas.get(i), names.get(i)));
    }
    return uses;
  }

  ViewDef.CheckOption checkOption() {
    return checkOption;
  }

  @Nullable ObjectName base() {
    return base;
  }

  List<ObjectName> routines() {
    return routines;
  }

  void read(TableDefCodec.Addition addition, FieldReader in) {
    switch (addition) {
      case SCHEMA -> table = table.withName(TableDefCodec.text(in), table.name());
      case KEY_INDEXES -> keyIndexes(TableDefCodec.numbers(in));
      case INDEXES -> indexes(in);
      case CHECKS -> checks(in);
      case FOREIGN_KEYS -> foreignKeys(in);
      case FULL_MATCHES -> fullMatches(TableDefCodec.numbers(in));
      case DEFERRABLE_KEYS -> deferrableKeys(in);
      case DEFERRABLE_CHECKS -> deferrableChecks(in);
      case COMMENT -> table = table.withComment(TableDefCodec.text(in));
      case IDENTITIES ->
          columns(in, (c, f) -> c.withIdentity(new IdentityDef(f.readBoolean(), number(f))));
      case GENERATED -> columns(in, (c, f) -> c.withGenerated(TableDefCodec.text(f)));
      case NOT_NULL_NAMES -> columns(in, (c, f) -> c.withNotNullName(TableDefCodec.text(f)));
      case COLUMN_STATISTICS ->
          columns(in, (c, f) -> c.withStatistics(TableDefCodec.statistics(f)));
      case COLUMN_COMMENTS -> columns(in, (c, f) -> c.withComment(TableDefCodec.text(f)));
      case ON_COMMIT -> table = table.withOnCommit(OnCommit.valueOf(TableDefCodec.text(in)));
      case VIEW_SCHEMAS -> {
        namesFrom = TableDefCodec.text(in);
        usedSchemas = TableDefCodec.texts(in);
      }
      case VIEW_BASE -> base = name(in);
      case VIEW_ROUTINES -> routines = names(in);
      case PRIVILEGES -> table = table.withPrivileges(privilegesIn(in));
      case DOMAINS -> columns(in, (c, f) -> c.withDomain(name(f)));
      case CHECK_OPTION -> checkOption = ViewDef.CheckOption.valueOf(TableDefCodec.text(in));
    }
  }

  static ObjectName name(FieldReader in) {
    return new ObjectName(TableDefCodec.text(in), TableDefCodec.text(in));
  }

  static List<ObjectName> names(FieldReader in) {
    List<ObjectName> names = new ArrayList<>();
    int count = TableDefCodec.length(in);
    for (int i = 0; i < count; i++) {
      names.add(name(in));
    }
    return names;
  }

  private static int number(FieldReader in) {
    return (int) in.readStopBit();
  }

  private void keyIndexes(int[] ids) {
    List<KeyDef> keys = new ArrayList<>();
    for (KeyDef key : table.keys()) {
      keys.add(key.withIndexId(ids[keys.size()]));
    }
    table = table.withKeys(keys);
  }

  private void indexes(FieldReader in) {
    List<IndexDef> indexes = new ArrayList<>();
    int count = TableDefCodec.length(in);
    for (int i = 0; i < count; i++) {
      String name = TableDefCodec.text(in);
      IndexKind kind = IndexKind.valueOf(TableDefCodec.text(in));
      boolean unique = in.readBoolean();
      int[] columns = TableDefCodec.numbers(in);
      boolean[] descending = new boolean[columns.length];
      for (int c = 0; c < columns.length; c++) {
        descending[c] = in.readBoolean();
      }
      indexes.add(new IndexDef(name, kind, unique, columns, descending, number(in)));
    }
    table = table.withIndexes(indexes);
  }

  private void checks(FieldReader in) {
    List<CheckDef> checks = new ArrayList<>();
    int count = TableDefCodec.length(in);
    for (int i = 0; i < count; i++) {
      checks.add(new CheckDef(TableDefCodec.text(in), TableDefCodec.text(in)));
    }
    table = table.withChecks(checks);
  }

  private void foreignKeys(FieldReader in) {
    List<ForeignKeyDef> keys = new ArrayList<>();
    int count = TableDefCodec.length(in);
    for (int i = 0; i < count; i++) {
      keys.add(
          new ForeignKeyDef(
              TableDefCodec.text(in),
              TableDefCodec.numbers(in),
              TableDefCodec.text(in),
              TableDefCodec.text(in),
              TableDefCodec.texts(in),
              ForeignKeyDef.Action.valueOf(TableDefCodec.text(in)),
              ForeignKeyDef.Action.valueOf(TableDefCodec.text(in)),
              in.readBoolean(),
              in.readBoolean(),
              false));
    }
    table = table.withForeignKeys(keys);
  }

  private void fullMatches(int[] numbers) {
    List<ForeignKeyDef> keys = new ArrayList<>(table.foreignKeys());
    for (int number : numbers) {
      keys.set(number, keys.get(number).matchingFull());
    }
    table = table.withForeignKeys(keys);
  }

  private void deferrableKeys(FieldReader in) {
    List<IndexDef> indexes = new ArrayList<>(table.indexes());
    int count = TableDefCodec.length(in);
    for (int i = 0; i < count; i++) {
      int position = number(in);
      boolean primary = in.readBoolean();
      DeferrableKey key = new DeferrableKey(primary, Deferrability.of(true, in.readBoolean()));
      indexes.set(position, indexes.get(position).withKey(key));
    }
    table = table.withIndexes(indexes);
  }

  private void deferrableChecks(FieldReader in) {
    List<CheckDef> checks = new ArrayList<>(table.checks());
    int count = TableDefCodec.length(in);
    for (int i = 0; i < count; i++) {
      int position = number(in);
      CheckDef check = checks.get(position);
      Deferrability deferrability = Deferrability.of(true, in.readBoolean());
      checks.set(position, new CheckDef(check.name(), check.condition(), deferrability));
    }
    table = table.withChecks(checks);
  }

  static List<PrivilegeDef> privilegesIn(FieldReader in) {
    List<PrivilegeDef> privileges = new ArrayList<>();
    int count = TableDefCodec.length(in);
    for (int i = 0; i < count; i++) {
      privileges.add(
          new PrivilegeDef(
              TableDefCodec.text(in),
              PrivilegeDef.Action.valueOf(TableDefCodec.text(in)),
              TableDefCodec.optionalText(in),
              in.readBoolean()));
    }
    return privileges;
  }

  /** Some columns, each with its position before what it gets. */
  private void columns(FieldReader in, BiFunction<ColumnDef, FieldReader, ColumnDef> change) {
    List<ColumnDef> columns = new ArrayList<>(table.columns());
    int count = TableDefCodec.length(in);
    for (int i = 0; i < count; i++) {
      int position = number(in);
      columns.set(position, change.apply(columns.get(position), in));
    }
    table = table.withColumns(columns);
  }
}
