package io.gpdb.bench.compared;

import java.util.ArrayList;
import java.util.List;

/**
 * A feature of SQL, with statements that work where a database has it.
 *
 * @param documented whether PostgreSQL and DuckDB have it by their documentation
 * @param spellings each of them shows the feature, on a database of its own
 */
record Feature(String name, List<String> documented, List<List<String>> spellings) {
  static List<Feature> parse(List<String> lines) {
    List<Feature> features = new ArrayList<>();
    Feature feature = null;
    for (String line : lines) {
      if (line.isBlank() || line.startsWith("#")) {
        feature = null;
      } else if (feature == null) {
        List<String> cells = List.of(line.split(" \\| ", -1));
        feature =
            new Feature(
                cells.getFirst(), List.copyOf(cells.subList(1, cells.size())), new ArrayList<>());
        feature.spellings.add(new ArrayList<>());
        features.add(feature);
      } else if (line.equals("or")) {
        feature.spellings.add(new ArrayList<>());
      } else {
        feature.spellings.getLast().add(line);
      }
    }
    return features;
  }
}
