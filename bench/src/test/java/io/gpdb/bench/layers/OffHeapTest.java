package io.gpdb.bench.layers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.constantpool.MemberRefEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Memory outside the heap is taken from the accounts of a database: any other way is one of those
 * that docs/internals/memory.md names with the reason.
 */
class OffHeapTest {
  private static final Path PROJECT =
      Path.of(Files.exists(Path.of("ARCHITECTURE.md")) ? "" : "..").toAbsolutePath();

  private static final List<String> MODULES =
      List.of("storage-pm", "exec-gpu", "txn", "sql", "planner", "session", "jdbc", "shell");

  /** Methods by their class that return memory outside the heap. */
  private static final Map<String, Set<String>> SOURCES =
      Map.of(
          "java/lang/foreign/Arena",
          Set.of("ofShared", "ofAuto", "ofConfined", "global"),
          "io/gpdb/storage/memory/SystemMemory",
          Set.of("allocate"),
          "io/gpdb/storage/memory/HostBuffer",
          Set.of("collected"),
          "java/nio/ByteBuffer",
          Set.of("allocateDirect"),
          "java/nio/channels/FileChannel",
          Set.of("map"));

  private static final Set<String> POOL =
      Set.of(
          "io.gpdb.storage.memory.HostBuffer",
          "io.gpdb.storage.memory.SlabSource",
          "io.gpdb.storage.memory.SystemMemory");

  private static final Set<String> MEDIA =
      Set.of(
          "io.gpdb.storage.medium.DaxMemory",
          "io.gpdb.storage.medium.DirectChannel",
          "io.gpdb.storage.medium.FileChannels",
          "io.gpdb.storage.medium.FileDirectory",
          "io.gpdb.storage.medium.FileMemory",
          "io.gpdb.storage.medium.PageReservation",
          "io.gpdb.storage.memory.PieceSource",
          "io.gpdb.storage.memory.PrivateMemory");

  /**
   * Some hundred bytes, a page that is given back by the method that took it, or (HostRoom) one
   * chunk of a device's memory for whoever reads chunks one after the other.
   */
  private static final Set<String> OF_FIXED_SIZE =
      Set.of(
          "io.gpdb.sql.catalog.Sequences",
          "io.gpdb.sql.catalog.SystemTable",
          "io.gpdb.storage.memory.HostRoom",
          "io.gpdb.storage.space.Checkpoint",
          "io.gpdb.storage.space.SpaceBackup",
          "io.gpdb.storage.dictionary.CodeEntries",
          "io.gpdb.txn.change.AllValid",
          "io.gpdb.txn.change.SuppliedValues",
          "io.gpdb.txn.log.Wal",
          "io.gpdb.txn.log.WalSegment",
          "io.gpdb.txn.protocol.UndoLog",
          "io.gpdb.txn.protocol.UndoPutBack",
          "io.gpdb.txn.version.RowBuffer");

  /** Live as long as a plan. */
  private static final Set<String> TABLES_OF_PLANS =
      Set.of(
          "io.gpdb.planner.expression.compiler.KernelSets",
          "io.gpdb.planner.expression.compiler.LookUp",
          "io.gpdb.planner.expression.Translation",
          "io.gpdb.planner.batch.StringRanks");

  /** Live as long as a prepared statement: the values bound for its next batch. */
  private static final Set<String> BOUND_VALUES =
      Set.of("io.gpdb.planner.statement.ParameterColumn");

  /** Memory of GPUs, and what their driver is handed. The pool has neither. */
  private static final Set<String> OF_GPUS =
      Set.of(
          "io.gpdb.exec.cuda.CallMemory",
          "io.gpdb.exec.cuda.CudaBuffer",
          "io.gpdb.exec.cuda.CudaContext",
          "io.gpdb.exec.cuda.CudaMemory",
          "io.gpdb.exec.cuda.HostRows",
          "io.gpdb.exec.cuda.KeptGroups",
          "io.gpdb.exec.cuda.LaunchQueue",
          "io.gpdb.exec.cuda.LaunchSlot",
          "io.gpdb.exec.cuda.NativeDriver",
          "io.gpdb.exec.cuda.SlotMemory");

  /** Counts what it takes, and takes it so for tests alone. */
  private static final Set<String> POISONED = Set.of("io.gpdb.planner.batch.BatchMemory");

  @Test
  void onlyThePoolAndThoseWithAReasonTakeMemoryFromTheSystem() throws IOException {
    Set<String> takers = new TreeSet<>();
    for (String module : MODULES) {
      Path classes = PROJECT.resolve(module).resolve("target/classes");
      try (Stream<Path> files = Files.walk(classes)) {
        for (Path file : files.filter(f -> f.toString().endsWith(".class")).toList()) {
          if (takes(file)) {
            String name = classes.relativize(file).toString().replaceAll("(\\$.*)?\\.class$", "");
            takers.add(name.replace('/', '.'));
          }
        }
      }
    }
    Set<String> known = new TreeSet<>();
    List.of(POOL, MEDIA, OF_FIXED_SIZE, TABLES_OF_PLANS, BOUND_VALUES, OF_GPUS, POISONED)
        .forEach(known::addAll);
    assertThat(takers).containsExactlyElementsOf(known);
  }

  private static boolean takes(Path file) throws IOException {
    for (PoolEntry entry : ClassFile.of().parse(file).constantPool()) {
      if (entry instanceof MemberRefEntry member
          && SOURCES
              .getOrDefault(member.owner().asInternalName(), Set.of())
              .contains(member.name().stringValue())) {
        return true;
      }
    }
    return false;
  }
}
