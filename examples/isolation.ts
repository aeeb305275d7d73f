/** Tools that hang or crash: their timeout ends them, the model reads what happened, and the run goes on. */
import { Agent, model, type ToolClass, usesTools } from "toolwright";
import { ScriptedModel } from "toolwright/models";
import { CountLinesTool, ReportTool } from "./isolation/tools.js";

const called = (tool: ToolClass, input: Record<string, unknown>) => ({ toolCalls: [{ name: tool.identifier, arguments: input }] });

// What a model might call. The expression takes longer than the age of the universe.
const scripted = new ScriptedModel([
  called(CountLinesTool, { pattern: "^(a+)+$", log: `${"a".repeat(60)}!` }),
  called(CountLinesTool, { pattern: "error", log: "ok\nerror 1\nerror 2" }),
  called(ReportTool, { month: "2026-11" }),
  called(ReportTool, { month: "broken" }),
  "Two lines match. The first expression took too long, and the second report crashed.",
]);

@model(scripted)
@usesTools([CountLinesTool, ReportTool])
class OperationsAgent extends Agent {}

const { messages, text } = await new OperationsAgent().generate("Count the errors, and render the report.");
for (const message of messages) if (message.role === "tool") console.log(`- ${message.content}`);
console.log(text);
