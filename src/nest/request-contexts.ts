import { type ContextId, ContextIdFactory, type ModuleRef } from "@nestjs/core";

/** What services with request scope belong to, by request. */
export class RequestContexts {
  readonly #contexts = new WeakMap<object, ContextId>();
  readonly #module: ModuleRef;

  constructor(module: ModuleRef) {
    this.#module = module;
  }

  /** That of the controller, where Nest made one for the request; else one of its own, in which `REQUEST` is the request. */
  of(request: object | undefined): ContextId {
    if (request === undefined) return ContextIdFactory.create();
    let context = this.#contexts.get(request);
    if (context === undefined) {
      context = ContextIdFactory.getByRequest(request);
      this.#contexts.set(request, context);
      this.#module.registerRequestByContextId(request, context);
    }
    return context;
  }
}
