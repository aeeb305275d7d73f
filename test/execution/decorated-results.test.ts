import "reflect-metadata";
import { Exclude, Expose, instanceToPlain, Transform, Type } from "class-transformer";
import * as fc from "fast-check";
import { ToolExecutor } from "../../src/execution/index.js";
import { normalise } from "../../src/execution/result/normalise.js";
import { outline } from "../../src/execution/result/outline.js";
import { createTool } from "../../src/tool/index.js";
import { caller, recordingListener } from "./support.js";

const made = <Type extends object>(constructor: new () => Type, members: object): Type => Object.assign(new constructor(), members);

class User {
  id!: number;
  @Exclude() password!: string;
  @Exclude({ toPlainOnly: true }) pin!: string;
  @Exclude({ toClassOnly: true }) createdBy!: string;
}
class Admin extends User {
  @Exclude() key!: string;
}
const user = (): User => made(User, { id: 1, password: "hidden-1", pin: "hidden-2", createdBy: "import" });
const admin = (): Admin => made(Admin, { ...user(), key: "hidden-3" });
const shownUser = { id: 1, createdBy: "import" };

@Exclude()
class Account {
  @Expose() iban!: string;
  @Expose({ name: "owner_name" }) owner!: string;
  @Expose({ toClassOnly: true }) secret!: string;
  balance!: number;
  @Expose() get short(): string {
    return this.iban.slice(-4);
  }
  @Expose() upper(): string {
    return this.owner.toUpperCase();
  }
}
class Card {
  @Transform(({ value }) => `**** ${value.slice(-4)}`, { toPlainOnly: true }) number!: string;
  @Transform(({ value }) => value.split(","), { toClassOnly: true }) tags!: string[];
  @Transform(({ value }) => value.name) holder!: unknown;
  @Transform(() => "x", { groups: ["staff"] }) kind = "debit";
  @Expose({ groups: ["staff"] }) limit = 5_000;
}
class Profile {
  @Exclude() ssn!: string;
  name!: string;
}
class Company {
  @Type(() => Profile) ceo!: unknown;
  @Type(() => Profile) staff!: unknown[];
  @Type(() => Profile) byCity!: Map<string, unknown>;
  @Type(() => String) number!: unknown;
  @Type(() => Number) counts!: unknown[];
  @Type(() => Date) founded!: unknown;
}
const profile = { ssn: "hidden-4", name: "Ann" };
const company = () =>
  made(Company, {
    ceo: { ...profile },
    staff: [{ ...profile }, made(Profile, profile)],
    byCity: new Map([["Paris", { ...profile }]]),
    number: { toString: () => "42" },
    counts: ["1", 2],
    founded: "2020-01-01T00:00:00.000Z",
  });
class Public {
  @Exclude() password!: string;
}
class Row {
  id = 1;
  password = "hidden-5";
}
class Holder {
  @Type(() => Public) user: unknown = new Row();
}

const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe("a result reads as class-transformer's instanceToPlain writes it", () => {
  it.each<[string, unknown]>([
    ["excluded fields", user()],
    ["fields that a base excludes", admin()],
    ["in lists", [user(), [admin()]]],
    ["in plain objects", { page: { users: [user()] } }],
    ["in sets", { users: new Set([user()]) }],
    ["a class that excludes all but exposed fields", made(Account, { iban: "DE1234", owner: "Ann", secret: "s", balance: 1 })],
    ["transforms", made(Card, { number: "4111222233334444", tags: ["a"], holder: { name: "Ann", ssn: "1" } })],
    ["plain values of which @Type names the class", company()],
    ["instances of another class than @Type names", new Holder()],
  ])("%s", (_name, value) => {
    const expected = asJson(instanceToPlain(value));
    // JSON.stringify has no form for a Map.
    const maps = value instanceof Company ? { byCity: { Paris: { name: "Ann" } } } : {};
    expect(normalise(value)).toEqual(Object.assign(expected as object, maps));
    expect(outline(value)).toEqual(normalise(value));
    expect(JSON.stringify(normalise(value))).not.toContain("hidden");
  });

  it("whatever the decorators say together", () => {
    const direction = fc.constantFrom(undefined, { toPlainOnly: true }, { toClassOnly: true }, { toPlainOnly: true, toClassOnly: true });
    const decorator = fc.record({
      exclude: fc.option(direction),
      expose: fc.option(fc.tuple(direction, fc.option(fc.constantFrom("a", "z")), fc.boolean())),
      transform: fc.option(direction),
    });
    const level = fc.record({ excludeAll: fc.boolean(), exposeAll: fc.boolean(), a: decorator, b: decorator });
    fc.assert(
      fc.property(fc.array(level, { minLength: 1, maxLength: 3 }), (levels) => {
        let constructor: new () => object = class {
          a = "1";
          b = "2";
          c = "3";
        };
        for (const { excludeAll, exposeAll, ...properties } of levels) {
          constructor = class extends constructor {};
          if (excludeAll) Exclude()(constructor);
          if (exposeAll) Expose()(constructor);
          for (const [name, { exclude, expose, transform }] of Object.entries(properties)) {
            if (exclude !== null) Exclude(exclude)(constructor.prototype, name);
            if (expose !== null) {
              const [options, as, inGroup] = expose;
              Expose({ ...options, ...(as !== null && { name: as }), ...(inGroup && { groups: ["staff"] }) })(constructor.prototype, name);
            }
            if (transform !== null) Transform(({ value }) => `${value}!`, transform)(constructor.prototype, name);
          }
        }
        const value = new constructor();
        expect(normalise(value)).toEqual(asJson(instanceToPlain(value)));
      }),
      { numRuns: 300 },
    );
  });
});

describe("more than class-transformer leaves out", () => {
  it("a Map's values are read by their own class", () => {
    expect(normalise(new Map([["a", user()]]))).toEqual({ a: shownUser });
    expect(normalise(new Map([[1, user()]]))).toEqual([[1, shownUser]]);
  });

  it("a toJSON that gives all columns doesn't bring an excluded one back", () => {
    class Entity extends User {
      toJSON(): object {
        return { ...this, label: "made by toJSON" };
      }
    }
    expect(normalise(made(Entity, user()))).toEqual({ ...shownUser, label: "made by toJSON" });
  });

  it.each<[string, (user: User) => object]>([
    ["without a prototype", (given) => Object.assign(Object.create(null), given)],
    ["of another class", (given) => made(Row, given)],
    ["that is a Map", (given) => new Map(Object.entries(given))],
    ["that has a toJSON again", (user) => ({ toJSON: () => ({ toJSON: () => ({ ...user }) }) })],
  ])("a toJSON that gives all columns in an object %s doesn't bring an excluded one back", (_name, toJSON) => {
    class Entity extends User {
      toJSON(): object {
        return toJSON(this);
      }
    }
    expect(JSON.stringify(normalise(made(Entity, user())))).not.toContain("hidden");
    expect(JSON.stringify(outline(made(Entity, user())))).not.toContain("hidden");
  });

  it("an excluded column stays out, even if toJSON reads it from elsewhere", () => {
    class Entity {
      declare password: string;
      get columns(): object {
        return { id: 1, password: "hidden" };
      }
      toJSON(): object {
        return { ...this.columns };
      }
    }
    Exclude()(Entity.prototype, "password");
    expect(normalise(new Entity())).toEqual({ id: 1 });
  });

  it("a plain value is read by the class that the discriminator of @Type names", () => {
    class Owned {
      @Type(() => Object, { discriminator: { property: "kind", subTypes: [{ name: "profile", value: Profile }] } })
      owners: unknown = [
        { kind: "profile", ...profile },
        { kind: "other", name: "Bob" },
      ];
    }
    expect(normalise(new Owned())).toEqual({
      owners: [
        { kind: "profile", name: "Ann" },
        { kind: "other", name: "Bob" },
      ],
    });
  });

  it("a toJSON that gives what instanceToPlain wrote stays as it is", () => {
    @Exclude()
    class Entity {
      password = "hidden";
      @Expose({ name: "label" }) name = "Ann";
      @Expose() @Transform(({ value }) => value.toFixed(2)) price = 1;
      toJSON(): object {
        return instanceToPlain(this);
      }
    }
    expect(normalise(new Entity())).toEqual({ label: "Ann", price: "1.00" });
  });

  it("a subclass's exclusion holds if @Type names its base", () => {
    class Team {
      @Type(() => User) lead: unknown = admin();
    }
    expect(normalise(new Team())).toEqual({ lead: shownUser });
  });

  it("errors leave out what their class excludes", () => {
    class LoginError extends Error {
      @Exclude() password = "hidden";
    }
    expect(normalise(new LoginError("No."))).not.toHaveProperty("password");
  });

  it("errors leave out their message and cause, if their class excludes these", () => {
    class LoginError extends Error {}
    Exclude()(LoginError.prototype, "message");
    Exclude()(LoginError.prototype, "cause");
    expect(normalise(new LoginError("hidden", { cause: "hidden" }))).toEqual({ name: "Error" });
  });

  it("an own member named constructor changes nothing", () => {
    expect(normalise(made(User, { ...user(), constructor: Object }))).toEqual(shownUser);
  });

  it("a class that is decorated after its first result", () => {
    class Late {
      password = "hidden";
    }
    normalise(new Late());
    Exclude()(Late.prototype, "password");
    expect(normalise(new Late())).toEqual({});
  });

  it("a transform that throws costs its member alone", () => {
    class Price {
      currency = "EUR";
      @Transform(({ value }) => value.toFixed(2)) amount: unknown = "hidden";
    }
    expect(normalise(new Price())).toEqual({ currency: "EUR", amount: expect.stringContaining("[unreadable: ") });
  });

  it("entities that lead back to each other stay within the work of a result", () => {
    class Node {
      @Exclude() secret = "hidden";
      @Type(() => Node) others: Node[] = [];
    }
    const nodes = Array.from({ length: 100 }, () => new Node());
    for (const node of nodes) node.others = nodes;
    expect(JSON.stringify(normalise(nodes))).not.toContain("hidden");
  });
});

describe("everybody who reads a result gets this form", () => {
  const UserTool = createTool({ name: "user", description: "Finds a user.", inputSchema: { type: "object" }, execute: () => [user()] });

  it("the model and the listeners", async () => {
    const { listener, events } = recordingListener();
    await expect(caller(UserTool, { listeners: [listener] })()).resolves.toMatchObject({ data: [shownUser] });
    expect(events.length).toBeGreaterThan(0);
    expect(JSON.stringify(events)).not.toContain("hidden");
  });

  it("the model, if a tool fails with an entity", async () => {
    const failing = (execute: () => never) => createTool({ name: "user", description: "Fails.", inputSchema: { type: "object" }, execute });
    await expect(caller(failing(() => ({ ok: false, error: user() }) as never))()).resolves.toMatchObject({
      error: JSON.stringify(shownUser),
    });
    class Refusal {
      @Exclude() message = "hidden";
    }
    const { error } = await caller(
      failing(() => {
        throw new Refusal();
      }),
    )();
    expect(error).toBe("The tool threw [object Object] instead of an error.");
  });

  it("code, so that a tool can pass on what another one gave", async () => {
    const PassingTool = createTool({
      name: "passing",
      description: "Finds a user by another tool.",
      inputSchema: { type: "object" },
      execute: (_input, context) => context.call(UserTool, {}),
    });
    const executor = new ToolExecutor({ tools: [UserTool, PassingTool] });
    await expect(executor.run("user", {})).resolves.toEqual([shownUser]);
    await expect(executor.run("passing", {})).resolves.toEqual([shownUser]);
  });

  it("middleware that gives another result", async () => {
    const executor = new ToolExecutor({ tools: [UserTool] });
    executor.use(async (_call, next) => ({ ...(await next()), data: user() }) as never);
    await expect(executor.run("user", {})).resolves.toEqual(shownUser);
  });

  it("the log of the application", async () => {
    const { listener, of } = recordingListener();
    const LoggingTool = createTool({
      name: "logging",
      description: "Logs a user.",
      inputSchema: { type: "object" },
      execute: (_input, { log }) => log.info("found", { user: user() }),
    });
    await caller(LoggingTool, { listeners: [listener] })();
    expect(of("log")).toMatchObject([{ details: { user: shownUser } }]);
  });
});
