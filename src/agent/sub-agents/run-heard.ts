/** The internal method of `Agent` that runs it for another one, whose stream hears of the run. The package may be there twice. */
export const runHeard = Symbol.for("toolwright.runHeard");
