package io.gpdb.bench;

import java.util.List;

/** One way to make a transaction durable: a commit protocol with a log. */
record Contestant(String protocol, String log, boolean crashAtomic) {
  static final List<String> PROTOCOLS = List.of("redo", "undo", "cap-mm", "cap-fs");

  static Contestant hcl(String protocol) {
    return new Contestant(protocol, "hcl", !protocol.startsWith("cap"));
  }

  static Contestant conventional(String protocol) {
    return new Contestant(protocol, "conventional", !protocol.startsWith("cap"));
  }

  boolean isBaseline() {
    return protocol.startsWith("cap");
  }

  String label() {
    return isBaseline() ? protocol : protocol + "/" + log;
  }

  String url(String path) {
    return "jdbc:gpdb:" + path + ";protocol=" + protocol + ";log=" + log;
  }
}
