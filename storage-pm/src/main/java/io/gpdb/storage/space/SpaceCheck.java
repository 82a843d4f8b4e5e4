package io.gpdb.storage.space;

import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.home.Extent;
import io.gpdb.storage.home.HomeCheck;
import io.gpdb.storage.home.HomeImage;
import io.gpdb.storage.home.RootImage;
import io.gpdb.storage.table.TableCheck;
import io.gpdb.storage.table.TableStore;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * The verifier of open tables: reads the home file, holds its space against what the tables use,
 * and holds every table against itself.
 */
final class SpaceCheck {
  private final HomeImage home;
  private final Collection<TableStore> tables;
  private final List<String> problems = new ArrayList<>();

  SpaceCheck(HomeImage home, Collection<TableStore> tables) {
    this.home = home;
    this.tables = tables;
  }

  List<String> run() {
    RootImage root = new HomeCheck(home.memory(), problems).run();
    if (root != null) {
      List<Extent> used = new ArrayList<>();
      root.forEachExtent(used::add);
      tables.forEach(table -> table.forEachTabletHome(used::add));
      problems.addAll(home.checkSpace(used));
    }
    for (TableStore table : tables) {
      try {
        new TableCheck(table, problems).run();
      } catch (GpdbException e) {
        problems.add(e.getMessage());
      }
    }
    return problems;
  }
}
