import { z } from "zod";
import { Integer } from "../../src/schema/index.js";
import {
  deferred,
  description,
  identifier,
  optional,
  required,
  access,
  requiresConfirmation,
  returns,
  Tool,
  type ToolContext,
  timeout,
} from "../../src/tool/index.js";
import type { Door, DoorCall, DoorOptions } from "./door.js";

/** What tools did. */
const happened: string[] = [];

class StationService {
  skyOver(city: string): string {
    return city === "Paris" ? "sunny" : "grey";
  }
}

@identifier("weather")
@description("Tells the weather of some days. Use when the user asks about weather.")
class WeatherTool extends Tool {
  @required(String) city!: string;
  @optional(Integer, { minimum: 1, maximum: 7, default: 1 }) days!: number;

  call({ progress }: ToolContext) {
    progress(0.5, "half of it");
    happened.push("weather");
    if (this.city === "Atlantis") throw new Error("No station at https://root:hunter2@station.example.");
    return `${this.days} days of sun in ${this.city}`;
  }
}

@identifier("sky")
@description("Tells the sky over a city. Use when the user asks about clouds.")
class SkyTool extends Tool {
  @required(String) city!: string;

  constructor(readonly stations: StationService) {
    super();
  }

  call() {
    return this.stations.skyOver(this.city);
  }
}

@identifier("trip")
@description("Plans a trip. Use when the user wants to travel.")
class TripTool extends Tool {
  @required(String) city!: string;

  async call({ call }: ToolContext) {
    return `Go: ${String(await call(WeatherTool, { city: this.city }))}`;
  }
}

@identifier("wait")
@description("Waits for ever. Use never.")
@timeout(40)
class WaitTool extends Tool {
  async call({ abortSignal }: ToolContext) {
    happened.push("waiting");
    await new Promise((resolve) => abortSignal.addEventListener("abort", resolve));
    happened.push("told to stop");
  }
}

@identifier("wait_long")
@description("Waits for ever, and has a minute for it. Use never.")
@timeout(60_000)
class LongWaitTool extends WaitTool {}

@identifier("refund")
@description("Refunds an order. Use when the user wants the money back.")
@requiresConfirmation(({ amount }) => Number(amount) > 100)
class RefundTool extends Tool {
  @required(Integer) amount!: number;

  call() {
    happened.push(`refunded ${this.amount}`);
    return `Refunded ${this.amount}.`;
  }
}

@identifier("audit")
@description("Shows the audit log. Use when an auditor asks.")
@access({ roles: ["auditor"] })
class AuditTool extends Tool {
  call() {
    happened.push("audited");
    return "Nothing happened.";
  }
}

@identifier("count")
@description("Counts something. Use when the user asks how many.")
@returns(Number)
class CountTool extends Tool {
  call(): unknown {
    return "many";
  }
}

@identifier("dump")
@description("Gives very much. Use never.")
class DumpTool extends Tool {
  call() {
    return "x".repeat(200_000);
  }
}

@identifier("book")
@description("Books a table. Use when the user wants to eat out.")
class BookTool extends Tool {
  @required(z.string().refine((day) => !day.startsWith("Mon"), "we rest on Mondays")) day!: string;

  call() {
    return `Booked for ${this.day}.`;
  }
}

/** What an application writes on its tool, or gets by it, and which doors it holds through. */
export interface Feature {
  readonly name: string;
  /** Throws where it doesn't hold. */
  readonly check: (door: Door) => Promise<void>;
  /** The doors of which the table says more, by name. `check`: what holds there instead. */
  readonly except?: Readonly<Record<string, { readonly note: string; readonly check?: (door: Door) => Promise<void> }>>;
}

const weather = (input: DoorCall["arguments"]): DoorCall => ({ tool: WeatherTool, arguments: input });
const refund = (amount: number): DoorCall => ({ tool: RefundTool, arguments: { amount } });

/** Calls one tool, and gives what the model reads. */
async function read(door: Door, call: DoorCall, options?: DoorOptions): Promise<string> {
  happened.length = 0;
  const [text] = await door.run([call.tool], [call], options);
  return text ?? "";
}

const answering = (answer: "yes" | "no") => ({
  answer: () => {
    happened.push("asked");
    return answer;
  },
});

async function refusesText(door: Door): Promise<void> {
  await read(door, weather("{'city': 'Paris',}")).catch(() => undefined);
  expect(happened).toEqual([]);
}

const ofOneScope = "counted for calls with the same `scope` value: make the tools for each run, or share a `ledger`";

export const features: readonly Feature[] = [
  {
    name: "Arguments are validated, with all faults in one message",
    check: async (door) => {
      const text = await read(door, weather({ days: 30, town: "Paris" }));
      for (const fault of ["city is required", "days must be", "town"]) expect(text).toContain(fault);
      expect(happened).toEqual([]);
    },
  },
  {
    name: "Rules of zod and class-validator",
    check: async (door) => {
      expect(await read(door, { tool: BookTool, arguments: { day: "Monday" } })).toContain("we rest on Mondays");
      expect(await read(door, { tool: BookTool, arguments: { day: "Friday" } })).toBe("Booked for Friday.");
    },
  },
  {
    name: "Defaults, and repairs that lose no meaning",
    check: async (door) => {
      expect(await read(door, weather({ city: "Paris" }))).toBe("1 days of sun in Paris");
      expect(await read(door, weather({ city: "Paris", days: "3" }))).toBe("3 days of sun in Paris");
    },
  },
  {
    name: "Arguments that are almost JSON are accepted",
    check: async (door) => {
      expect(await read(door, weather("```json\n{'city': 'Paris',}\n```"))).toBe("1 days of sun in Paris");
    },
    except: {
      MCP: { note: "MCP sends arguments as objects, not as text", check: refusesText },
      "AI SDK": { note: "with `repairToolCall` of `toolwright/ai-sdk`" },
      LangChain: { note: "the framework parses the arguments and accepts only JSON", check: refusesText },
      "OpenAI Agents": { note: "the framework parses the arguments and accepts only JSON", check: refusesText },
    },
  },
  {
    name: "A timeout ends the wait, aborts the signal and informs the model",
    check: async (door) => {
      expect(await read(door, { tool: WaitTool, arguments: {} })).toContain("40 ms");
      expect(happened).toEqual(["waiting", "told to stop"]);
    },
  },
  {
    name: "An abort reaches the tool",
    check: async (door) => {
      const controller = new AbortController();
      const running = read(door, { tool: LongWaitTool, arguments: {} }, { abortSignal: controller.signal }).catch(() => undefined);
      while (happened.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
      controller.abort();
      await running;
      while (happened.length === 1) await new Promise((resolve) => setTimeout(resolve, 5));
      expect(happened).toEqual(["waiting", "told to stop"]);
    },
  },
  {
    name: "A call waits for approval",
    check: async (door) => {
      expect(await read(door, refund(200), answering("yes"))).toBe("Refunded 200.");
      expect(happened).toEqual(["asked", "refunded 200"]);
      await read(door, refund(200), answering("no"));
      expect(happened).toEqual(["asked"]);
      expect(await read(door, refund(20), answering("no"))).toBe("Refunded 20.");
      await read(door, refund(200)).catch(() => undefined);
      expect(happened).toEqual([]);
    },
    except: {
      registry: {
        note: "the call throws `ToolInterrupt`, because there is no run to pause",
        check: async (door) => {
          expect(await read(door, refund(200))).toContain("waits for confirmation");
          expect(happened).toEqual([]);
        },
      },
    },
  },
  {
    name: "Tools that the user may not use can't run",
    check: async (door) => {
      await read(door, { tool: AuditTool, arguments: {} }, { toolContext: { roles: ["cook"] } }).catch(() => undefined);
      expect(happened).toEqual([]);
      expect(await read(door, { tool: AuditTool, arguments: {} }, { toolContext: { roles: ["auditor"] } })).toBe("Nothing happened.");
    },
  },
  {
    name: "The model doesn't see such tools",
    check: async ({ told }) => {
      expect(await told?.([AuditTool, WeatherTool], { toolContext: { roles: ["cook"] } })).toBe(1);
      expect(await told?.([AuditTool, WeatherTool], { toolContext: { roles: ["auditor"] } })).toBe(2);
    },
    except: {
      registry: { note: "there is no model", check: async ({ told }) => expect(told).toBeUndefined() },
      "provider's SDK": {
        note: "the application filters them with `isPermitted`",
        check: async ({ told }) => expect(await told?.([AuditTool, WeatherTool], { toolContext: { roles: ["cook"] } })).toBe(2),
      },
    },
  },
  {
    name: "Deferred tools are left out until the model finds them",
    check: async ({ told }) => expect(await told?.([deferred(WeatherTool), deferred(AuditTool)])).toBe(1),
    except: {
      registry: { note: "there is no model", check: async ({ told }) => expect(told).toBeUndefined() },
      ...Object.fromEntries(
        ["provider's SDK", "MCP", "AI SDK", "LangChain", "OpenAI Agents"].map((name) => [
          name,
          {
            note: "all tools are listed",
            check: async ({ told }: Door) => expect(await told?.([deferred(WeatherTool), deferred(RefundTool)])).toBe(2),
          },
        ]),
      ),
    },
  },
  {
    name: "The result is validated",
    check: async (door) => expect(await read(door, { tool: CountTool, arguments: {} })).toMatch(/result|output/i),
  },
  {
    name: "Results that are too large are cut",
    check: async (door) => {
      const text = await read(door, { tool: DumpTool, arguments: {} });
      expect(text).toContain("left out");
      expect(text.length).toBeLessThan(51_000);
    },
    except: {
      registry: {
        note: "code gets the whole result",
        check: async (door) => expect(await read(door, { tool: DumpTool, arguments: {} })).toHaveLength(200_000),
      },
    },
  },
  {
    name: "Secrets are redacted before the model reads the result",
    check: async (door) => {
      const text = await read(door, weather({ city: "Atlantis" }));
      expect(text).toContain("No station at");
      expect(text).not.toContain("hunter2");
    },
    except: {
      registry: {
        note: "code gets the whole result",
        check: async (door) => expect(await read(door, weather({ city: "Atlantis" }))).toContain("hunter2"),
      },
    },
  },
  {
    name: "A tool may fail three times in a run",
    check: async (door) => {
      happened.length = 0;
      const texts = await door.run([WeatherTool], new Array<DoorCall>(4).fill(weather({ city: "Atlantis" })));
      expect(texts[3]).toContain("failed 3 times");
      expect(happened).toHaveLength(3);
    },
    except: {
      MCP: {
        note: "each call is a separate run",
        check: async (door) => {
          happened.length = 0;
          await door.run([WeatherTool], new Array<DoorCall>(4).fill(weather({ city: "Atlantis" })));
          expect(happened).toHaveLength(4);
        },
      },
      "AI SDK": { note: ofOneScope },
      LangChain: { note: ofOneScope },
      "OpenAI Agents": { note: ofOneScope },
    },
  },
  {
    name: "Services are injected",
    check: async (door) => {
      expect(await read(door, { tool: SkyTool, arguments: { city: "Paris" } }, { services: [StationService] })).toBe("sunny");
    },
  },
  {
    name: "A tool can call another",
    check: async (door) => {
      const [text] = await door.run([TripTool, WeatherTool], [{ tool: TripTool, arguments: { city: "Paris" } }]);
      expect(text).toBe("Go: 1 days of sun in Paris");
    },
  },
  {
    name: "Listeners (traces, logs, metrics) get calls and progress",
    check: async (door) => {
      const heard: string[] = [];
      const listener = {
        toolStarted: ({ tool }: { tool: string }) => void heard.push(`${tool} started`),
        toolProgress: ({ message }: { message?: string }) => void heard.push(message ?? ""),
        toolFinished: ({ result }: { result: { error?: string } }) => void heard.push(result.error ?? "finished"),
      };
      await read(door, weather({ city: "Paris" }), { listeners: [listener] });
      expect(heard).toEqual(["weather started", "half of it", "finished"]);
    },
  },
];
