import type { ChatModel } from "../chat-model.js";
import type { ChatRequest, ModelDelta } from "../chat-model.js";

/** What a model can't take stays the same however often it is asked. */
export const wrapped = (model: ChatModel, generate: ChatModel["generate"]): ChatModel =>
  model.refusesTool === undefined
    ? { id: model.id, generate }
    : { id: model.id, refusesTool: (tool) => model.refusesTool?.(tool), generate };

/** A request, and whether something of its answer was told. */
export class StreamedRequest {
  readonly request: ChatRequest;
  hasBegun = false;

  constructor(request: ChatRequest) {
    const { onDelta } = request;
    const hear = (delta: ModelDelta): void => {
      this.hasBegun = true;
      onDelta?.(delta);
    };
    this.request = onDelta === undefined ? request : { ...request, onDelta: hear };
  }
}
