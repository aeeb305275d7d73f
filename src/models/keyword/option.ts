import type { Parameter } from "./tool-parameters.js";

/** A value that a parameter could have, and its place in the sentence. */
export interface Option {
  readonly parameter: Parameter;
  readonly value: unknown;
  readonly start: number;
  readonly end: number;
  /** How well the value itself suits the parameter. */
  readonly fit: number;
  /** How strongly the words around it point to the parameter. */
  readonly cue: number;
  /** A whole clause may hold what other parameters take: "pizza in Rome" is a query, Rome a city. */
  readonly mayOverlap?: boolean;
}

/** The fit of a value that hardly suits another parameter: an email address for `email`, a listed value. */
export const certain = 4;
