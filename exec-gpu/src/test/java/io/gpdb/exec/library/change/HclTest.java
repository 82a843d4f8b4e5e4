package io.gpdb.exec.library.change;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.exec.Device;
import io.gpdb.exec.ir.Kernel.Element;
import io.gpdb.exec.library.base.HclLayout;
import io.gpdb.storage.memory.HostBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class HclTest extends LogContract {
  private static final long BASE = 64;

  @Override
  UpdateLog create(Element element, int n) {
    return new UpdateLog.Hcl(
        words(BASE + HclLayout.regionWords(n, HclLayout.updateEntryWords(element))), BASE);
  }

  @Override
  List<int[]> entries(UpdateLog log, Element element, int n) {
    HostBuffer words = ((UpdateLog.Hcl) log).words().onHost();
    int entryWords = HclLayout.updateEntryWords(element);
    List<int[]> entries = new ArrayList<>();
    for (int e = 0; e < n; e++) {
      int[] entry = new int[entryWords];
      for (int w = 0; w < entryWords; w++) {
        entry[w] = word(words, HclLayout.wordIndex(BASE, e, w, entryWords));
      }
      entries.add(entry);
    }
    return entries;
  }

  @Override
  void replay(
      Device device,
      UpdateLog log,
      Element element,
      int n,
      HostBuffer values,
      HostBuffer validity) {
    HostBuffer words = ((UpdateLog.Hcl) log).words().onHost();
    new GridReplay(device).update(element, words, BASE, n, values, validity);
  }

  @Test
  void aWarpsWordsAreWholeLines() {
    for (int lane = 0; lane < 32; lane++) {
      assertThat(HclLayout.wordIndex(0, 64 + lane, 1, 3)).isEqualTo(2 * 96 + 32 + lane);
    }
    assertThat(HclLayout.regionWords(0, 3)).isZero();
    assertThat(HclLayout.regionWords(1, 3)).isEqualTo(96);
    assertThat(HclLayout.regionWords(33, 2)).isEqualTo(128);
  }
}
