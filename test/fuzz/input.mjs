import { Random } from "./random.mjs";

/**
 * What is measured of an input, which its numbers say whole: `family`, `shape`, `seed`, and `share`, its part of the published caps
 * (1: all of them). `undefined` if the shape gives nothing within the caps for these numbers.
 */
export const makeInput = (family, { shape, seed, share }) => family.shapes[shape](new Random(seed), share);

/** As `--input` takes it. */
export const written = ({ family, shape, seed, share }) => JSON.stringify({ family, shape, seed, share });
