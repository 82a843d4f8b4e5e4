package io.gpdb.sql.catalog;

import io.gpdb.sql.catalog.TableDefCodec.Addition;
import io.gpdb.sql.definition.CheckDef;
import io.gpdb.sql.definition.ColumnDef;
import io.gpdb.sql.definition.ColumnStatistics;
import io.gpdb.sql.definition.DeferrableKey;
import io.gpdb.sql.definition.ForeignKeyDef;
import io.gpdb.sql.definition.IndexDef;
import io.gpdb.sql.definition.KeyDef;
import io.gpdb.sql.definition.ObjectName;
import io.gpdb.sql.definition.OnCommit;
import io.gpdb.sql.definition.PrivilegeDef;
import io.gpdb.sql.definition.RoleDef;
import io.gpdb.sql.definition.SchemaDef;
import io.gpdb.sql.definition.SchemaNames;
import io.gpdb.sql.definition.SequenceDef;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.definition.ViewDef;
import io.gpdb.storage.column.FieldWriter;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Writes what {@link TableDefCodec} describes. */
final class TableDefWriter {
  private final TableDef table;
  private final Map<Addition, byte[]> additions = new EnumMap<>(Addition.class);

  private TableDefWriter(TableDef table) {
    this.table = table;
  }

  static byte[] encode(TableDef table) {
    FieldWriter out = new FieldWriter(256);
    TableDefWriter writer = new TableDefWriter(table);
    writer.addAll();
    writer.write(out);
    return out.toByteArray();
  }

  static byte[] encode(ViewDef view) {
    FieldWriter out = new FieldWriter(256);
    TableDef columns =
        new TableDef(view.viewId(), view.name(), view.columns(), List.of())
            .withName(view.schema(), view.name())
            .withComment(view.comment())
            .withPrivileges(view.privileges());
    TableDefWriter writer = new TableDefWriter(columns);
    writer.addAll();
    if (view.checkOption() != ViewDef.CheckOption.NONE) {
      writer.add(Addition.CHECK_OPTION, bytes -> writeText(bytes, view.checkOption().name()));
    }
    ObjectName base = view.base();
    if (base != null) {
      writer.add(Addition.VIEW_BASE, bytes -> writeName(bytes, base));
    }
    List<String> schemas = view.uses().stream().map(ObjectName::schema).toList();
    if (!view.namesFrom().equals(SchemaNames.PUBLIC)
        || schemas.stream().anyMatch(schema -> !schema.equals(SchemaNames.PUBLIC))) {
      writer.add(
          Addition.VIEW_SCHEMAS,
          bytes -> {
            writeText(bytes, view.namesFrom());
            writeTexts(bytes, schemas);
          });
    }
    if (!view.routines().isEmpty()) {
      writer.add(Addition.VIEW_ROUTINES, bytes -> writeNames(bytes, view.routines()));
    }
    writer.write(out);
    writeText(out, view.query());
    writeTexts(out, view.uses().stream().map(ObjectName::name).toList());
    return out.toByteArray();
  }

  static byte[] encode(SchemaDef schema) {
    FieldWriter out = new FieldWriter(64);
    writeText(out, schema.name());
    writeText(out, schema.comment());
    return out.toByteArray();
  }

  static byte[] encode(RoleDef role) {
    FieldWriter out = new FieldWriter(64);
    writeText(out, role.name());
    out.writeStopBit(role.members().size());
    for (RoleDef.Member member : role.members()) {
      writeText(out, member.grantee());
      out.writeBoolean(member.admin());
    }
    return out.toByteArray();
  }

  static byte[] encode(SequenceDef sequence) {
    FieldWriter out = new FieldWriter(64);
    out.writeStopBit(SequenceDefCodec.FORMAT);
    writeText(out, sequence.schema());
    writeText(out, sequence.name());
    writeText(out, sequence.type().kind().name());
    out.writeStopBit(sequence.type().precision());
    out.writeStopBit(sequence.type().scale());
    out.writeStopBit(sequence.start());
    out.writeStopBit(sequence.increment());
    out.writeStopBit(sequence.minimum());
    out.writeStopBit(sequence.maximum());
    out.writeBoolean(sequence.cycles());
    out.writeStopBit(sequence.cache());
    out.writeStopBit(sequence.stateId());
    out.writeStopBit(sequence.first());
    out.writeBoolean(sequence.owned());
    return out.toByteArray();
  }

  private void write(FieldWriter out) {
    out.writeStopBit(
        additions.isEmpty() ? TableDefCodec.FORMAT_PLAIN : TableDefCodec.FORMAT_ADDITIONS);
    writeText(out, table.name());
    out.writeStopBit(table.columns().size());
    for (ColumnDef column : table.columns()) {
      writeText(out, column.name());
      writeText(out, column.type().kind().name());
      out.writeStopBit(column.type().precision());
      out.writeStopBit(column.type().scale());
      out.writeBoolean(column.nullable());
      writeText(out, column.defaultSql());
    }
    out.writeStopBit(table.keys().size());
    for (KeyDef key : table.keys()) {
      writeText(out, key.name());
      out.writeBoolean(key.primary());
      writeNumbers(out, key.columns());
    }
    if (!additions.isEmpty()) {
      out.writeStopBit(additions.size());
      additions.forEach(
          (addition, bytes) -> {
            out.writeStopBit(addition.number());
            out.writeStopBit(bytes.length);
            out.write(bytes);
          });
    }
  }

  /**
   * What most tables do not have is asked for before it is written: each lambda here is a class
   * that a fresh process makes when its first table is made.
   */
  private void addAll() {
    if (!table.schema().equals(SchemaNames.PUBLIC)) {
      add(Addition.SCHEMA, out -> writeText(out, table.schema()));
    }
    int[] keyIndexes = new int[table.keys().size()];
    boolean inOrder = true;
    for (int i = 0; i < keyIndexes.length; i++) {
      keyIndexes[i] = table.keys().get(i).indexId();
      inOrder &= keyIndexes[i] == i;
    }
    if (!inOrder) {
      add(Addition.KEY_INDEXES, out -> writeNumbers(out, keyIndexes));
    }
    if (!table.indexes().isEmpty() || !table.checks().isEmpty() || !table.foreignKeys().isEmpty()) {
      addConstraints();
    }
    if (!table.privileges().isEmpty()) {
      addList(Addition.PRIVILEGES, table.privileges(), TableDefWriter::writePrivilege);
    }
    String comment = table.comment();
    if (comment != null) {
      add(Addition.COMMENT, out -> writeText(out, comment));
    }
    OnCommit onCommit = table.onCommit();
    if (onCommit != null) {
      add(Addition.ON_COMMIT, out -> writeText(out, onCommit.name()));
    }
    for (ColumnDef column : table.columns()) {
      if (!column.isPlain()) {
        addColumnParts();
        return;
      }
    }
  }

  private void addConstraints() {
    addList(Addition.INDEXES, table.indexes(), TableDefWriter::writeIndex);
    addList(Addition.CHECKS, table.checks(), TableDefWriter::writeCheck);
    addList(Addition.FOREIGN_KEYS, table.foreignKeys(), TableDefWriter::writeForeignKey);
    List<ForeignKeyDef> foreignKeys = table.foreignKeys();
    int[] full =
        IntStream.range(0, foreignKeys.size())
            .filter(i -> foreignKeys.get(i).matchesFull())
            .toArray();
    if (full.length > 0) {
      add(Addition.FULL_MATCHES, out -> writeNumbers(out, full));
    }
    addDeferrable();
  }

  private void addColumnParts() {
    addColumns(
        Addition.IDENTITIES,
        ColumnDef::identity,
        (out, identity) -> {
          out.writeBoolean(identity.always());
          out.writeStopBit(identity.sequenceId());
        });
    addColumns(Addition.GENERATED, ColumnDef::generatedSql, TableDefWriter::writeText);
    addColumns(Addition.NOT_NULL_NAMES, ColumnDef::notNullName, TableDefWriter::writeText);
    addColumns(Addition.DOMAINS, ColumnDef::domain, TableDefWriter::writeName);
    addColumns(Addition.COLUMN_COMMENTS, ColumnDef::comment, TableDefWriter::writeText);
    addColumns(Addition.COLUMN_STATISTICS, ColumnDef::statistics, TableDefWriter::writeStatistics);
  }

  private void addDeferrable() {
    addList(
        Addition.DEFERRABLE_KEYS,
        table.deferrableKeys(),
        (out, index) -> {
          DeferrableKey key = Objects.requireNonNull(index.key());
          out.writeStopBit(table.indexes().indexOf(index));
          out.writeBoolean(key.primary());
          out.writeBoolean(key.deferrability().isDeferred());
        });
    addList(
        Addition.DEFERRABLE_CHECKS,
        table.checks().stream().filter(check -> check.deferrability().isDeferrable()).toList(),
        (out, check) -> {
          out.writeStopBit(table.checks().indexOf(check));
          out.writeBoolean(check.deferrability().isDeferred());
        });
  }

  private void add(Addition addition, Consumer<FieldWriter> content) {
    FieldWriter out = new FieldWriter(64);
    content.accept(out);
    additions.put(addition, out.toByteArray());
  }

  private <T> void addList(Addition addition, List<T> all, BiConsumer<FieldWriter, T> writer) {
    if (!all.isEmpty()) {
      add(
          addition,
          out -> {
            out.writeStopBit(all.size());
            all.forEach(each -> writer.accept(out, each));
          });
    }
  }

  /** The columns that have it, each with its position. */
  private <T> void addColumns(
      Addition addition, Function<ColumnDef, @Nullable T> part, BiConsumer<FieldWriter, T> writer) {
    List<ColumnDef> having = table.columns().stream().filter(c -> part.apply(c) != null).toList();
    addList(
        addition,
        having,
        (out, column) -> {
          out.writeStopBit(table.indexOf(column.name()));
          T value = part.apply(column);
          if (value != null) {
            writer.accept(out, value);
          }
        });
  }

  private static void writeStatistics(FieldWriter out, ColumnStatistics statistics) {
    out.writeStopBit(statistics.rows());
    out.writeStopBit(statistics.nulls());
    out.writeStopBit(statistics.distinct());
    out.writeStopBit(statistics.bounds().length);
    long last = 0;
    for (long bound : statistics.bounds()) {
      out.writeStopBit(bound - last);
      last = bound;
    }
  }

  private static void writeIndex(FieldWriter out, IndexDef index) {
    writeText(out, index.name());
    writeText(out, index.kind().name());
    out.writeBoolean(index.unique());
    writeNumbers(out, index.columns());
    for (boolean descending : index.descending()) {
      out.writeBoolean(descending);
    }
    out.writeStopBit(index.indexId());
  }

  private static void writeCheck(FieldWriter out, CheckDef check) {
    writeText(out, check.name());
    writeText(out, check.condition());
  }

  private static void writeForeignKey(FieldWriter out, ForeignKeyDef key) {
    writeText(out, key.name());
    writeNumbers(out, key.columns());
    writeText(out, key.parentSchema());
    writeText(out, key.parentTable());
    writeTexts(out, key.parentColumns());
    writeText(out, key.onDelete().name());
    writeText(out, key.onUpdate().name());
    out.writeBoolean(key.deferrable());
    out.writeBoolean(key.deferred());
  }

  static void writePrivilege(FieldWriter out, PrivilegeDef privilege) {
    writeText(out, privilege.grantee());
    writeText(out, privilege.action().name());
    writeText(out, privilege.column());
    out.writeBoolean(privilege.grantable());
  }

  private static void writeNumbers(FieldWriter out, int[] numbers) {
    out.writeStopBit(numbers.length);
    for (int number : numbers) {
      out.writeStopBit(number);
    }
  }

  static void writeName(FieldWriter out, ObjectName name) {
    writeText(out, name.schema());
    writeText(out, name.name());
  }

  static void writeNames(FieldWriter out, List<ObjectName> names) {
    out.writeStopBit(names.size());
    names.forEach(name -> writeName(out, name));
  }

  static void writeTexts(FieldWriter out, List<String> texts) {
    out.writeStopBit(texts.size());
    texts.forEach(text -> writeText(out, text));
  }

  /** Null has the length -1. */
  static void writeText(FieldWriter out, @Nullable String text) {
    if (text == null) {
      out.writeStopBit(-1);
      return;
    }
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    out.writeStopBit(utf8.length);
    out.write(utf8);
  }
}
