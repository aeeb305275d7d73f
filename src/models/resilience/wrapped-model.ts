import type { ChatModel, ChatRequest, ModelDelta } from "../chat-model.js";

/** A model with another `generate`. It takes the same tools as before. */
export const wrapped = (model: ChatModel, generate: ChatModel["generate"]): ChatModel => ({
  id: model.id,
  ...(model.refusesTool !== undefined && { refusesTool: (tool) => model.refusesTool?.(tool) }),
  ...(model.runsProviderTool !== undefined && { runsProviderTool: (id) => model.runsProviderTool?.(id) === true }),
  generate,
});

/** A request, and whether a part of its answer was streamed. */
export class StreamedRequest {
  readonly request: ChatRequest;
  hasBegun = false;

  constructor(request: ChatRequest) {
    const { onDelta } = request;
    const stream = (delta: ModelDelta): void => {
      this.hasBegun = true;
      onDelta?.(delta);
    };
    this.request = onDelta === undefined ? request : { ...request, onDelta: stream };
  }
}
