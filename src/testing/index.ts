export { ScriptedModel, type ScriptedProviderCall, type ScriptedReply, type ScriptedStep, type ScriptedToolCall } from "../models/index.js";
export { type InvokeOptions, invokeTool } from "./invoke-tool.js";
export { type ToolMatchers, toolMatchers } from "./matchers/tool-matchers.js";
export { type RecordedModelOptions, recordedModel } from "./recording/recorded-model.js";
export { RecordingError } from "./recording/recording-error.js";
export { type StubCall, type StubInput, stubTool, type ToolStub, withStubs } from "./stub-tool.js";
export { type StorageTest, type StorageTestsOptions, storageTests } from "./storage/storage-tests.js";
