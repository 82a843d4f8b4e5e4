package io.gpdb.bench;

import java.util.List;

/** One way to make a transaction durable: a commit protocol with a log. */
record Contestant(String protocol, String log, boolean crashAtomic) {
  static final List<String> PROTOCOLS =
      List.of("redo", "undo", "versioned", "checksummed", "cap-mm", "cap-fs");

  static Contestant hcl(String protocol) {
    return new Contestant(protocol, "hcl", !protocol.startsWith("cap"));
  }

  static Contestant conventional(String protocol) {
    return new Contestant(protocol, "conventional", !protocol.startsWith("cap"));
  }

  /** Whether updates go to a log in one of two layouts. */
  boolean hasLogLayouts() {
    return protocol.equals("redo") || protocol.equals("undo");
  }

  String label() {
    return hasLogLayouts() ? protocol + "/" + log : protocol;
  }

  String url(String path) {
    return "jdbc:gpdb:" + path + ";protocol=" + protocol + ";log=" + log;
  }
}
