import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { isMainThread, threadId } from "node:worker_threads";
import {
  category,
  description,
  failure,
  image,
  isolated,
  json,
  optional,
  required,
  Tool,
  ToolAuthorizationError,
  type ToolContext,
  text,
  timeout,
} from "../../../src/tool/index.js";
import { markAsInterrupt } from "../../../src/tool/internal.js";
import { fileOf } from "./file.js";
import type { Greeting } from "./services.js";

const file = fileOf("tools");

/** With what the tests put into it. */
type Context = ToolContext & { readonly team?: object; readonly database?: unknown };

class Stop {
  @required(Date, "When") at!: Date;
  late() {
    return this.at.getTime() > 0;
  }
}

@description("Tells where it runs.")
class Where extends Tool {
  @optional(String, "Anything") note?: string;
  @optional([Stop], "Stops") stops?: Stop[];

  async call({ progress, log, runId, callId, attempt, idempotencyKey, team, userId }: Context) {
    progress(0.5, "half");
    log.info("here", { in: process.pid });
    const stops = this.stops?.map((stop) => stop.late());
    return { pid: process.pid, isMainThread, threadId, note: this.note, stops, runId, callId, attempt, idempotencyKey, team, userId };
  }
}
@isolated("worker", { module: file })
export class WhereInWorker extends Where {}
@isolated("process", { module: file })
export class WhereInProcess extends Where {}

/** One tool that does what its argument says: what a test needs of bad behaviour. */
@description("Does it.")
class Do extends Tool {
  @required(String, "What") what!: string;

  async call(context: Context): Promise<unknown> {
    const { abortSignal, call } = context;
    switch (this.what) {
      case "loop":
        for (;;);
      case "expression":
        return /^(a+)+$/.test(`${"a".repeat(50)}!`);
      case "exit":
        return process.exit(3);
      case "memory": {
        const kept: unknown[] = [];
        for (;;) kept.push(new Array(100_000).fill(kept.length));
      }
      case "print":
        // biome-ignore lint/suspicious/noConsole: tools do print
        console.log("printed");
        process.stdout.write("written\n");
        return "quiet";
      case "throw":
        throw Object.assign(new RangeError("too far", { cause: new Error("the cause") }), { code: "E_FAR", details: { by: 3 } });
      case "throw text":
        // biome-ignore lint/style/useThrowOnlyError: tools may
        throw "only a text";
      case "unauthorized":
        throw new ToolAuthorizationError("do", "The plan has no search.");
      case "interrupt":
        throw markAsInterrupt(new Error("wait for payment"));
      case "timer":
        setTimeout(() => {
          throw new Error("from a timer");
        }, 1);
        return sleep(5_000);
      case "rejection":
        void Promise.reject(new Error("forgotten"));
        return sleep(5_000);
      case "timer afterwards":
        setTimeout(() => {
          throw new Error("afterwards");
        }, 20);
        return "done";
      case "wait":
        await sleep(10_000, undefined, { signal: abortSignal });
        return "waited";
      case "clean up":
        await new Promise<void>((resolve) => abortSignal.addEventListener("abort", () => resolve()));
        return "cleaned";
      case "fail":
        return failure("No station.", "no_station");
      case "text":
        return text("plain");
      case "json":
        return json("a text");
      case "map":
        return { map: new Map([["a", new Date(0)]]), big: 10n, nothing: undefined };
      case "stream":
        return new ReadableStream();
      case "proxy":
        return new Proxy({ a: 1 }, {});
      case "pictures":
        return ["Before", image(onePixel, "image/png"), "after"];
      case "database":
        return context.database;
      case "environment":
        return { secret: process.env.SECRET_OF_TEST, path: typeof process.env.PATH };
      case "call":
        return call(WhereInWorker, { note: "nested" });
      case "child":
        return import("node:child_process").then(({ spawn }) => {
          const child = spawn("sleep", ["600"], { stdio: "ignore" });
          return { child: child.pid, own: process.pid };
        });
      case "child and loop": {
        const { spawn } = await import("node:child_process");
        spawn("sleep", ["600.25"], { stdio: "ignore" });
        for (;;);
      }
      default:
        return this.what;
    }
  }
}
@isolated("worker", { module: file })
export class DoInWorker extends Do {}
@isolated("process", { module: file })
export class DoInProcess extends Do {}
@isolated("process", { module: file, environment: ["SECRET_OF_TEST"] })
export class DoWithSecret extends Do {}
@category("write")
@isolated("process", { module: file })
export class WriteInProcess extends Do {}
@timeout(300)
@isolated("worker", { module: file })
export class QuickInWorker extends Do {}
@timeout(300)
@isolated("process", { module: file })
export class QuickInProcess extends Do {}

const onePixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";

@description("Greets.")
class Greet extends Tool {
  constructor(private readonly greeting: Greeting) {
    super();
  }

  call() {
    return this.greeting.text();
  }
}
@isolated("worker", { module: file, services: "./services.js" })
export class GreetInWorker extends Greet {}
@isolated("process", { module: file, services: "./services.js" })
export class GreetInProcess extends Greet {}
@isolated("worker", { module: file, services: "./services-without-container.js" })
export class GreetWithoutContainer extends Greet {}
@isolated("worker", { module: file })
export class GreetWithoutSetUp extends Greet {}

@isolated("worker", { module: file })
class NotExported extends Where {}
export const hidden = { tools: [NotExported] };

@isolated("worker", { module: fileOf("throws-at-load") })
export class ThrowsAtLoad extends Where {}
@isolated("process", { module: fileOf("throws-at-load") })
export class ThrowsAtLoadInProcess extends Where {}
@isolated("worker", { module: fileOf("not-there") })
export class NotThere extends Where {}
@isolated("worker", { module: join(process.cwd(), "test/isolation/modules/tools.ts") })
export class InTypeScript extends Where {}
