/** A file of its own: threads and processes import it, and mustn't start the application with it. */
import { description, effect, isolated, required, timeout, Tool } from "toolwright";
import type { Renderer } from "./services.js";

@isolated("worker", { module: import.meta.url })
@timeout(3_000)
@effect("none")
@description("Counts the lines of a log that match a regular expression. Use when the user asks for such lines.")
export class CountLinesTool extends Tool {
  @required(String, "The regular expression")
  pattern!: string;

  @required(String, "The log")
  log!: string;

  call() {
    const pattern = new RegExp(this.pattern);
    return this.log.split("\n").filter((line) => pattern.test(line)).length;
  }
}

@isolated("process", { module: import.meta.url, services: "./services.js" })
@description("Renders the report of a month. Use when the user asks for one.")
export class ReportTool extends Tool {
  @required(String, "The month")
  month!: string;

  constructor(private readonly renderer: Renderer) {
    super();
  }

  call() {
    return this.renderer.render(this.month);
  }
}
