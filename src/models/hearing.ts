import type { ChatRequest, ModelDelta } from "./chat-model.js";

/** A request, and whether something of its answer was told. */
export class Hearing {
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
