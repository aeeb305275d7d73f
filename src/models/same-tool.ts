import type { ModelTool } from "./chat-model.js";

/** Whether two definitions of one name are the same for a model. Most often they are one object. */
export const isSameTool = (one: ModelTool, other: ModelTool): boolean => one === other || textOf(one) === textOf(other);

/** The order of a tool's members doesn't count. */
const textOf = ({ description, parameters, strict, examples, providerTool }: ModelTool): string =>
  JSON.stringify([description, parameters, strict, examples, providerTool]);
