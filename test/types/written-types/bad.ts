// Each line below a marker is refused with one error that has the marker's words; no other line errs.
import { optional, required, Tool } from "../../../src/tool/index.js";
import "./plug-in.js";

export class MoveTool extends Tool {
  // error: tags: its declared type does not accept a string
  @required(String) tags!: string[];
  // error: level: its type does not accept the default
  @optional({ default: "middle" }) level!: "low" | "high";
  // error: note: minimum is for numbers
  @required({ minimum: 9 }) note!: string | null;
  // error: size is optional without default
  @optional() size!: number;

  call() {
    return "";
  }
}
