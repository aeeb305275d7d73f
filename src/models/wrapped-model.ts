import type { ChatModel } from "./chat-model.js";

/** What a model can't take stays the same however often it is asked. */
export const wrapped = (model: ChatModel, generate: ChatModel["generate"]): ChatModel =>
  model.refusesTool === undefined
    ? { id: model.id, generate }
    : { id: model.id, refusesTool: (tool) => model.refusesTool?.(tool), generate };
