package io.gpdb.simulation.far;

/** What devices have in common that reach each other's memory. */
public final class FarMachine {}
