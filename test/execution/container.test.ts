import "reflect-metadata";
import { Container, Inject, Service } from "typedi";
import { createRunScope, ToolExecutor, useContainer } from "../../src/execution/index.js";
import { invokeTool } from "../../src/testing/index.js";
import { createTool, description, required, Tool, type ToolClass } from "../../src/tool/index.js";
import { caller } from "./support.js";

@Service()
class Stations {
  find(city: string) {
    return `station of ${city}`;
  }
}

@description("Gets the weather.")
class WeatherTool extends Tool {
  @required(String)
  city!: string;

  constructor(private readonly stations: Stations) {
    super();
  }

  call() {
    return this.stations.find(this.city);
  }
}

const paris = { city: "Paris" };

afterEach(() => useContainer(undefined));

describe("a tool with services in its constructor", () => {
  it("gets them from typedi, and needs no registration of its own", async () => {
    useContainer(Container);
    expect((await caller(WeatherTool)(paris)).data).toBe("station of Paris");
  });

  it("gets them from the container of its executor", async () => {
    const scope = Container.of("tenant");
    scope.set(Stations, { find: () => "tenant's own" });
    useContainer(Container);
    expect((await caller(WeatherTool, { container: scope })(paris)).data).toBe("tenant's own");
  });

  it("gets them from any object with get, also later", async () => {
    const container = { get: async (type: ToolClass) => new type(new Stations()) };
    expect((await caller(WeatherTool, { container })(paris)).data).toBe("station of Paris");
  });

  it("is a new instance at each call", async () => {
    const call = caller(WeatherTool, { container: Container });
    const results = await Promise.all(["Rome", "Oslo"].map((city) => call({ city })));
    expect(results.map(({ data }) => data)).toEqual(["station of Rome", "station of Oslo"]);
  });

  it("says what is missing if there is no container", () => {
    expect(() => new ToolExecutor({ tools: [WeatherTool] })).toThrow(/WeatherTool: its constructor wants 1 service.*useContainer/);
  });

  it("has its properties injected as well", async () => {
    @description("By property.")
    class PropertyTool extends Tool {
      @Inject()
      stations!: Stations;

      call() {
        return this.stations.find("Bonn");
      }
    }
    expect((await caller(PropertyTool, { container: Container })()).data).toBe("station of Bonn");
  });
});

describe("what containers do wrong without a word", () => {
  it("one instance for all calls is refused", async () => {
    @description("Shared.")
    @Service()
    class SharedTool extends Tool {
      call() {
        return "once";
      }
    }
    const once = new SharedTool();
    const call = caller(SharedTool, { container: { get: () => once } });
    await call();
    expect((await call()).error).toMatch(
      /SharedTool: the container gave the same instance twice.*transient scope.*typedi: .*transient: true.*Nest: .*moduleRef\.create/,
    );
    // typedi says so before the first call.
    expect(() => new ToolExecutor({ tools: [SharedTool], container: Container })).toThrow(
      /SharedTool: the container has it registered as one instance for all.*@Service\(\{ transient: true \}\)/,
    );
  });

  it("a tool that is registered as transient is made anew for each call", async () => {
    @description("Transient.")
    @Service({ transient: true })
    class TransientTool extends Tool {
      call() {
        return "each time";
      }
    }
    const call = caller(TransientTool, { container: Container });
    expect([(await call()).data, (await call()).data]).toEqual(["each time", "each time"]);
  });

  it("no instance is refused", async () => {
    expect((await caller(WeatherTool, { container: { get: () => undefined } })(paris)).error).toMatch(
      /container gave undefined instead of an instance/,
    );
  });

  it("a constructor whose types were not emitted doesn't get the container in place of its services", () => {
    class PlainTool extends Tool {
      constructor(readonly stations: Stations) {
        super();
      }
      call() {}
    }
    description("Plain.")(PlainTool);
    expect(() => new ToolExecutor({ tools: [PlainTool], container: Container })).toThrow(
      /PlainTool: its constructor wants 1 service, but their types are not known.*@Inject\(\(\) => MyService\) service!: MyService/,
    );
  });

  it("a subclass with a constructor but no decorator doesn't get its parent's services", () => {
    class NightTool extends WeatherTool {
      constructor(readonly clock: Date) {
        super(new Stations());
      }
    }
    expect(() => new ToolExecutor({ tools: [NightTool], container: Container })).toThrow(/NightTool: .*decorator of its own/);
  });

  it("a subclass without a constructor gets what its parent's wants", async () => {
    class DayTool extends WeatherTool {}
    expect((await caller(DayTool, { container: Container })(paris)).data).toBe("station of Paris");
  });

  it("a class with a factory of the application's needs no types", async () => {
    class FactoryTool extends Tool {
      constructor(readonly stations: Stations) {
        super();
      }
      call() {
        return this.stations.find("Graz");
      }
    }
    description("Made.")(FactoryTool);
    Container.set({ id: FactoryTool, factory: () => new FactoryTool(Container.get(Stations)), transient: true });
    expect((await caller(FactoryTool, { container: Container })()).data).toBe("station of Graz");
  });

  it("a parameter declared as an interface is refused instead of filled with undefined", () => {
    interface Clock {
      now(): number;
    }
    @description("Tells the time.")
    class ClockTool extends Tool {
      constructor(readonly clock: Clock) {
        super();
      }
      call() {
        return this.clock.now();
      }
    }
    expect(() => new ToolExecutor({ tools: [ClockTool], container: Container })).toThrow(
      /ClockTool: constructor parameter 1 is declared as an interface.*@Inject/,
    );
  });

  it("a parameter declared as an interface may be named by @Inject", async () => {
    interface Clock {
      now(): number;
    }
    @Service()
    class SystemClock implements Clock {
      now() {
        return 7;
      }
    }
    @description("Tells the time.")
    class ClockTool extends Tool {
      constructor(@Inject(() => SystemClock) readonly clock: Clock) {
        super();
      }
      call() {
        return this.clock.now();
      }
    }
    expect(await new ToolExecutor({ tools: [ClockTool], container: Container }).run("clock_tool", {})).toBe(7);
  });

  it("a type that did not exist yet is named", () => {
    @description("Early.")
    class EarlyTool extends Tool {
      constructor(readonly stations: Stations) {
        super();
      }
      call() {}
    }
    Reflect.defineMetadata("design:paramtypes", [undefined], EarlyTool);
    expect(() => new ToolExecutor({ tools: [EarlyTool], container: Container })).toThrow(
      /EarlyTool: the type of constructor parameter 1 did not exist yet/,
    );
  });

  it("case 59: services that need each other in a circle are printed as a path", async () => {
    class A {}
    class B {}
    Reflect.defineMetadata("design:paramtypes", [B], A);
    Reflect.defineMetadata("design:paramtypes", [A], B);
    for (const type of [A, B]) Container.set({ id: type, type });
    @description("Circles.")
    class CircleTool extends Tool {
      constructor(readonly a: A) {
        super();
      }
      call() {}
    }
    expect((await caller(CircleTool, { container: Container })()).error).toMatch(/CircleTool: .*circle: A -> B -> A/);
  });

  it("services that need each other by @Inject are printed as a path, in scopes too", async () => {
    @Service({ transient: true })
    class Orders {
      @Inject(() => Bills)
      bills!: unknown;
    }
    @Service({ transient: true })
    class Bills {
      @Inject(() => Orders)
      orders!: unknown;
    }
    @description("Circles.")
    class OrderTool extends Tool {
      constructor(@Inject(() => Orders) readonly orders: Orders) {
        super();
      }
      call() {}
    }
    for (const container of [Container, Container.of("circle")]) {
      expect((await caller(OrderTool, { container })()).error).toBe(
        "OrderTool: it can't be made: its services need each other in a circle: Orders -> Bills -> Orders",
      );
    }
    // The container is as it was.
    expect(Object.hasOwn(Container.of("circle"), "get")).toBe(false);
  });

  it("a circle behind a container of another kind is named as the likely reason", async () => {
    const overflow = (): unknown => [overflow()];
    expect((await caller(WeatherTool, { container: { get: overflow } })(paris)).error).toMatch(
      /WeatherTool: .*call stack size exceeded\. Check whether its services need each other in a circle/,
    );
  });

  it("a missing service is reported with the tool's name", async () => {
    class Missing {}
    @description("Misses.")
    class MissingTool extends Tool {
      constructor(readonly missing: Missing) {
        super();
      }
      call() {}
    }
    const result = await caller(MissingTool, { container: Container })();
    expect(result).toMatchObject({
      errorType: "unhandled_error",
      error: expect.stringMatching(/MissingTool: it can't be made: .*Missing/s),
    });
  });

  it("an argument that is read before it is there says so, with a container and without", async () => {
    @description("Reads too early.")
    class EarlyTool extends Tool {
      @required(String)
      city!: string;

      readonly upper = this.city.toUpperCase();

      call() {
        return this.upper;
      }
    }
    for (const options of [{}, { container: Container }, { container: { get: (type: ToolClass) => new type() } }]) {
      expect(await caller(EarlyTool, options)(paris)).toMatchObject({
        errorType: "unhandled_error",
        error:
          "EarlyTool: it can't be made: Cannot read properties of undefined (reading 'toUpperCase'). " +
          "If it reads its arguments there: they are set after construction, for call to read.",
      });
    }
    await expect(invokeTool(EarlyTool, paris)).rejects.toThrow("they are set after construction");
  });

  it("an instance that can't be made is no failed attempt of the tool", async () => {
    const call = caller(WeatherTool, { container: { get: () => Promise.reject(new Error("no database")) } });
    for (let attempt = 0; attempt < 5; attempt += 1) expect((await call(paris)).error).toMatch(/WeatherTool: .*no database/);
  });
});

describe("tools that a container doesn't know", () => {
  const plain = createTool({ name: "plain", description: "P.", inputSchema: { type: "object" }, execute: () => "made" });

  @description("Simple.")
  class SimpleTool extends Tool {
    call() {
      return "simple";
    }
  }

  it("are made without it where they were made by createTool", async () => {
    const container = { get: () => fail("asked") };
    expect((await caller(plain, { container })()).data).toBe("made");
    await caller(plain, { container: Container })();
    expect(Container.has(plain as never)).toBe(false);
  });

  it("are made without it where the container says so and the constructor wants nothing", async () => {
    for (const question of ["has", "isBound", "isRegistered"]) {
      const container = { get: () => fail("asked"), [question]: () => false };
      expect((await caller(SimpleTool, { container })()).data).toBe("simple");
    }
  });

  it("are left by a deadline while the container makes them, and don't run later", async () => {
    let ran = false;
    @description("Late.")
    class LateTool extends Tool {
      call() {
        ran = true;
      }
    }
    const controller = new AbortController();
    let finish: (tool: Tool) => void = () => {};
    const executor = new ToolExecutor({ tools: [LateTool], container: { get: () => new Promise((resolve) => (finish = resolve)) } });
    const pending = executor.call({ id: "1", name: "late_tool", arguments: {} }, createRunScope({ abortSignal: controller.signal }));
    controller.abort();
    expect((await pending).errorType).toBe("cancelled");
    finish(new LateTool());
    await new Promise(setImmediate);
    expect(ran).toBe(false);
  });
});

function fail(message: string): never {
  throw new Error(message);
}
