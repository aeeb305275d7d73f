import { type ContextId, ContextIdFactory, type ModuleRef } from "@nestjs/core";

/** What services with request scope belong to, by request. */
export class RequestContexts {
  readonly #contexts = new WeakMap<object, ContextId>();
  readonly #module: ModuleRef;

  constructor(module: ModuleRef) {
    this.#module = module;
  }

  /** The controller's context, if Nest made one for the request; else a new one, in which `REQUEST` is the request. */
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
