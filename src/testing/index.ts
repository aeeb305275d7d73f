export { ScriptedModel, type ScriptedReply, type ScriptedStep, type ScriptedToolCall } from "../models/index.js";
export { type InvokeOptions, invokeTool } from "./invoke-tool.js";
