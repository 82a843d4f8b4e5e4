package io.gpdb.bench.micro;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.storage.column.IndexKind;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** That what is measured does what its name says. */
class MicroTest {
  @Test
  void kernelsHaveTheAnswersOfALoop() {
    SplittableRandom random = new SplittableRandom(1);
    long sum = 0;
    long all = 0;
    long least = -1; // the greatest without a sign
    int[] values = new int[KernelBenchmark.ROWS];
    int firstPlace = -1;
    for (int i = 0; i < values.length; i++) {
      values[i] = random.nextInt(KernelBenchmark.BOUND);
      int place = random.nextInt(KernelBenchmark.ROWS);
      long key = random.nextLong();
      firstPlace = i == 0 ? place : firstPlace;
      sum += values[i] < 100 ? values[i] : 0;
      all += values[i];
      least = Long.compareUnsigned(key, least) < 0 ? key : least;
    }
    KernelBenchmark kernels = new KernelBenchmark();
    kernels.fill();
    try {
      assertThat(kernels.countAndSumWithAFilter()).isEqualTo(sum);
      assertThat(kernels.prefixSums()).isEqualTo(all);
      assertThat(kernels.gatherFromRandomPlaces()).isEqualTo(values[firstPlace]);
      assertThat(kernels.radixSortOfRandomKeys()).isEqualTo(least);
    } finally {
      kernels.close();
    }
  }

  @ParameterizedTest
  @EnumSource(IndexKind.class)
  void lookUpsFindTheRowsOfTheirKeys(IndexKind kind) {
    ProbeBenchmark probes = new ProbeBenchmark();
    probes.kind = kind;
    probes.fill();
    try {
      assertThat(probes.oneByOne()).isEqualTo(probes.expected()).isPositive();
      long sum = 0;
      for (long row : probes.asABatch()) {
        sum += row;
      }
      assertThat(sum).isEqualTo(probes.expected());
    } finally {
      probes.close();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {128, 65_536})
  void theLogGoesOnInTheNextFile(int recordBytes) {
    LogBenchmark log = new LogBenchmark();
    log.recordBytes = recordBytes;
    log.open();
    try {
      long before = log.append();
      for (int i = 0; i < 600; i++) {
        long after = log.append();
        assertThat(after - before).isEqualTo(recordBytes);
        before = after;
      }
    } finally {
      log.close();
    }
  }

  @ParameterizedTest
  @EnumSource(PlanningBenchmark.Text.class)
  void textsArePlannedAgainAndAgain(PlanningBenchmark.Text text) throws Exception {
    PlanningBenchmark planning = new PlanningBenchmark();
    planning.text = text;
    planning.open();
    try {
      assertThat(planning.prepare()).isEqualTo(planning.prepare()).isPositive();
    } finally {
      planning.close();
    }
  }
}
