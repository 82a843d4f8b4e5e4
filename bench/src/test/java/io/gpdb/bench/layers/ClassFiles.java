package io.gpdb.bench.layers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.constantpool.MethodTypeEntry;
import java.lang.classfile.constantpool.NameAndTypeEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Reads what the class files of a module name: in code, descriptors and signatures. */
final class ClassFiles {
  private static final Pattern NAME = Pattern.compile("L([\\w/$]+)");

  private ClassFiles() {}

  /** Adds the classes of a module's folder; those whose source is gone are left out. */
  static void read(Path module, ImportGraph graph) {
    Path classes = module.resolve("target/classes");
    if (!Files.isDirectory(classes)) {
      throw new IllegalStateException("not compiled: " + classes.toAbsolutePath());
    }
    try (Stream<Path> files = Files.walk(classes)) {
      for (Path file : files.filter(f -> f.toString().endsWith(".class")).toList()) {
        String name = outer(classes.relativize(file).toString().replaceAll("\\.class$", ""));
        if (!name.equals("module-info") && Files.exists(source(module, name))) {
          graph.add(name, named(ClassFile.of().parse(file)));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path source(Path module, String name) {
    return module.resolve("src/main/java").resolve(name.replace('.', '/') + ".java");
  }

  private static String outer(String internalName) {
    int inner = internalName.indexOf('$');
    return (inner < 0 ? internalName : internalName.substring(0, inner)).replace('/', '.');
  }

  static Set<String> named(ClassModel model) {
    Set<String> names = new TreeSet<>();
    for (PoolEntry entry : model.constantPool()) {
      switch (entry) {
        case ClassEntry c -> addName(c.asInternalName(), names);
        case NameAndTypeEntry n -> addAll(n.type().stringValue(), names);
        case MethodTypeEntry m -> addAll(m.descriptor().stringValue(), names);
        default -> {}
      }
    }
    model.fields().forEach(f -> addAll(f.fieldType().stringValue(), names));
    model.methods().forEach(m -> addAll(m.methodType().stringValue(), names));
    signatures(model).forEach(signature -> addAll(signature, names));
    return names;
  }

  private static List<String> signatures(ClassModel model) {
    return Stream.concat(
            model.findAttribute(Attributes.signature()).stream(),
            Stream.concat(
                model.fields().stream()
                    .flatMap(f -> f.findAttribute(Attributes.signature()).stream()),
                model.methods().stream()
                    .flatMap(m -> m.findAttribute(Attributes.signature()).stream())))
        .map(attribute -> attribute.signature().stringValue())
        .toList();
  }

  private static void addName(String internalName, Set<String> names) {
    if (internalName.startsWith("[")) {
      addAll(internalName, names);
    } else {
      names.add(outer(internalName));
    }
  }

  private static void addAll(String descriptor, Set<String> names) {
    Matcher m = NAME.matcher(descriptor);
    while (m.find()) {
      names.add(outer(m.group(1)));
    }
  }
}
