/** The internal method of `Agent` that looks at edited arguments: a symbol, so that subclasses may use any name. */
export const editFaults = Symbol("toolwright.editFaults");
