// The standard dialect sees no types: each one is written, or follows from enum or default.
import { optional, required } from "../../../src/tool/index.js";

export class Written {
  @required(String) text!: string;
  @required({ enum: ["a", "b"] }) letters!: "a" | "b";
  @optional({ default: 10 }) limit!: number;
  @required({ schema: { type: "string" } }) raw!: string;
}
