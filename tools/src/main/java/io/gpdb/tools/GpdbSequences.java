package io.gpdb.tools;

import org.hibernate.dialect.sequence.ANSISequenceSupport;
import org.hibernate.dialect.sequence.SequenceSupport;

/** Sequences for Hibernate, which drops what may not be there before it creates a schema. */
final class GpdbSequences extends ANSISequenceSupport {
  static final SequenceSupport INSTANCE = new GpdbSequences();

  @Override
  public String getDropSequenceString(String sequence) {
    return "drop sequence if exists " + sequence;
  }
}
