package io.gpdb.storage.medium;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.simulation.recorded.Mutants;
import io.gpdb.simulation.recorded.Mutants.Mistake;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.ConstantInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.StoreInstruction;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** The syncs of real files keep their promises; with a mistake in their code they do not. */
class SyncPromisesTest {
  private static final String SYNCS = "io.gpdb.storage.medium.SyncChannels";
  private static final String MEMORY = "io.gpdb.storage.medium.FileMemory";

  private static Predicate<InvokeInstruction> call(String name) {
    return call -> call.name().equalsString(name);
  }

  private static List<?> broken(String mutated, String method, Mistake mistake) throws Exception {
    Class<?> promises =
        Mutants.load("io.gpdb.storage.medium.SyncPromises", mutated, method, mistake);
    return (List<?>) promises.getMethod("broken").invoke(null);
  }

  @Test
  void syncsKeepTheirPromises() throws Exception {
    assertThat(SyncPromises.broken()).isEmpty();
  }

  @Test
  void withoutAnySyncOfTheSystemTheyAreBroken() throws Exception {
    assertThat(broken(SYNCS, "sync", Mutants.withoutCall(call("force"), "11")))
        .asString()
        .contains("asks the system");
  }

  @Test
  void whenAnEarlierSyncReleasesWhoWaitsTheyAreBroken() throws Exception {
    assertThat(broken(SYNCS, "give", Mutants.withoutCall(call("max"), "22M")))
        .asString()
        .contains("a sync of its own");
  }

  /** Where the code begins with a sync that has not succeeded, it begins with one that has. */
  private static final class DoneAtOnce implements CodeTransform {
    private final Runnable made;
    private boolean waits;

    DoneAtOnce(Runnable made) {
      this.made = made;
    }

    @Override
    public void accept(CodeBuilder code, CodeElement element) {
      boolean zero =
          element instanceof ConstantInstruction constant && constant.opcode() == Opcode.ICONST_0;
      if (waits) {
        waits = false;
        if (element instanceof StoreInstruction) {
          made.run();
          code.iconst_1();
        } else {
          code.iconst_0();
        }
      }
      if (zero) {
        waits = true;
      } else {
        code.with(element);
      }
    }
  }

  @Test
  void whenAFailedSyncReleasesWhoWaitsTheyAreBroken() throws Exception {
    assertThat(broken(SYNCS, "sync", DoneAtOnce::new))
        .asString()
        .contains("a sync that failed releases nobody");
  }

  @Test
  void whenThePoisonIsNotLookedAtAfterASyncTheyAreBroken() throws Exception {
    int[] calls = {0};
    Predicate<InvokeInstruction> last = call("checkUsable").and(c -> ++calls[0] == 2);
    assertThat(broken(MEMORY, "drain", Mutants.withoutCall(last, "1")))
        .asString()
        .contains("beside one that failed");
  }

  @Test
  void whenAGrowthIsNotCountedTheyAreBroken() throws Exception {
    assertThat(broken(MEMORY, "grow", Mutants.withoutCall(call("incrementAndGet"), "1J")))
        .asString()
        .contains("a growth is synced");
  }
}
