// The copy of the library that the program has, for modules that tests write.
export * from "../../../../src/index.js";
