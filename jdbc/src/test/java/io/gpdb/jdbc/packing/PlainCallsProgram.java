package io.gpdb.jdbc.packing;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.constant.ClassDesc;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * Gives a jar's classes {@link PlainCalls} and leaves out {@link CodeGeneration}; the build runs it
 * on the packed driver.
 *
 * <p>The first statements of a process meet some 650 lambdas, switches over types and records. For
 * each the JVM makes and loads a class or more, by code that a fresh process interprets.
 */
public final class PlainCallsProgram {
  private static final String SUFFIX = ".class";

  private final Map<String, byte[]> files = new LinkedHashMap<>();
  private final Map<ClassDesc, List<ClassDesc>> nests = new LinkedHashMap<>();

  private PlainCallsProgram() {}

  /** Rewrites the jar that is the only argument. */
  public static void main(String[] arguments) throws IOException {
    Path jar = Path.of(arguments[0]);
    PlainCallsProgram program = new PlainCallsProgram();
    program.read(jar);
    program.rewrite();
    Path written = jar.resolveSibling(jar.getFileName() + ".plain");
    program.write(written);
    Files.move(written, jar, StandardCopyOption.REPLACE_EXISTING);
  }

  private void read(Path jar) throws IOException {
    try (ZipFile zip = new ZipFile(jar.toFile())) {
      for (ZipEntry entry : (Iterable<ZipEntry>) zip.stream().map(ZipEntry.class::cast)::iterator) {
        try (InputStream in = zip.getInputStream(entry)) {
          files.put(entry.getName(), in.readAllBytes());
        }
      }
    }
  }

  private void rewrite() {
    PlainCalls calls =
        new PlainCalls(
            ClassHierarchyResolver.ofResourceParsing(this::stream)
                .orElse(ClassHierarchyResolver.defaultResolver()));
    for (String name : List.copyOf(files.keySet())) {
      if (name.endsWith(SUFFIX)) {
        PlainCalls.Rewritten rewritten = calls.of(files.get(name));
        files.put(name, rewritten.bytes());
        rewritten.made().forEach((made, bytes) -> files.put(nameOf(made), bytes));
        if (!rewritten.made().isEmpty()) {
          nests
              .computeIfAbsent(rewritten.nestHost(), _ -> new ArrayList<>())
              .addAll(rewritten.made().keySet());
        }
      }
    }
    nests.forEach(
        (host, members) ->
            files.computeIfPresent(nameOf(host), (_, bytes) -> calls.withNest(bytes, members)));
  }

  private void write(Path jar) throws IOException {
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
      for (Map.Entry<String, byte[]> file : files.entrySet()) {
        if (CodeGeneration.isLeftOut(file.getKey())) {
          continue;
        }
        JarEntry entry = new JarEntry(file.getKey());
        entry.setTime(0);
        out.putNextEntry(entry);
        out.write(file.getValue());
        out.closeEntry();
      }
    }
  }

  private InputStream stream(ClassDesc type) {
    byte[] bytes = files.get(nameOf(type));
    return bytes == null ? null : new ByteArrayInputStream(bytes);
  }

  private static String nameOf(ClassDesc type) {
    String descriptor = type.descriptorString();
    return descriptor.substring(1, descriptor.length() - 1) + SUFFIX;
  }
}
