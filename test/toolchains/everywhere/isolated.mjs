// It stays out of every bundle and isn't compiled, so that a worker thread can import it by itself.
import { threadId } from "node:worker_threads";
import { description, identifier, isolated, Tool } from "toolwright";

export class ThreadTool extends Tool {
  call() {
    return threadId;
  }
}
identifier("thread")(ThreadTool);
description("Gives the thread that it runs in. Use in tests.")(ThreadTool);
isolated("worker", { module: import.meta.url })(ThreadTool);
