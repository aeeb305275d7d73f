import { z } from "zod";
import { validateToolInput } from "../../src/execution/index.js";
import { Agent, createTool, description, model, optional, required, Tool, usesTools } from "../../src/index.js";
import { ScriptedModel } from "../../src/models/index.js";

/** Faults that users of like libraries met with generated schemas. */

it("case 14: a grandchild without decorators of its own keeps its parents' fields", () => {
  @description("d")
  class Base extends Tool {
    @required(String) id!: string;
    override call() {}
  }
  class Middle extends Base {
    @optional([String]) tags?: string[];
  }
  class GrandchildTool extends Middle {}
  expect(Object.keys(GrandchildTool.parametersSchema.properties ?? {})).toEqual(["id", "tags"]);
  expect(GrandchildTool.parametersSchema.required).toEqual(["id"]);
});

it("case 16: optional in the base and required in the child is required in the child alone", () => {
  @description("d")
  class BaseTool extends Tool {
    @optional(String) name?: string;
    override call() {}
  }
  class ChildTool extends BaseTool {
    @required(String) declare name: string;
  }
  expect(validateToolInput(ChildTool, {})).toEqual({ ok: false, error: expect.stringMatching(/^name is required/) });
  expect(validateToolInput(BaseTool, {})).toMatchObject({ ok: true });
});

it("case 17: an array without its item type is refused at the definition; with it, the items have the class's schema", () => {
  class Child {
    @required(String) id!: string;
  }
  @description("d")
  class UntypedTool extends Tool {
    // @ts-expect-error the compiler says so first
    @required() items!: Child[];
    override call() {}
  }
  @description("d")
  class TypedTool extends Tool {
    @required(() => [Child]) items!: Child[];
    override call() {}
  }
  expect(() => UntypedTool.definition).toThrow(/^UntypedTool\.items: type unknown/);
  expect(TypedTool.parametersSchema.properties?.items).toEqual({
    type: "array",
    items: { type: "object", properties: { id: { type: "string" } }, required: ["id"], additionalProperties: false },
  });
});

it("case 19: a tool that the provider can't take is left out by name, and the others work", async () => {
  const warnings: string[] = [];
  const emitWarning = jest.spyOn(process, "emitWarning").mockImplementation((warning) => void warnings.push(String(warning)));
  class Comment {
    @optional(() => [Comment]) replies?: Comment[];
  }
  @description("Posts a thread")
  class PostTool extends Tool {
    @required(Comment) thread!: Comment;
    override call() {}
  }
  @description("Pings")
  class PingTool extends Tool {
    override call() {
      return "pong";
    }
  }
  class WithoutReferences extends ScriptedModel {
    refusesTool(tool: { parameters: object }) {
      return JSON.stringify(tool.parameters).includes('"$ref"') ? "it takes no $ref, which recursive types need" : undefined;
    }
  }
  const script = new WithoutReferences([{ toolCalls: [{ name: "ping_tool", arguments: {} }] }, "done"]);
  @model(script)
  @usesTools([PostTool, PingTool])
  class PostAgent extends Agent {}
  const response = await PostAgent.generate("go");
  emitWarning.mockRestore();
  expect(script.requests[0]?.tools.map((tool) => tool.name)).toEqual(["ping_tool"]);
  expect(response.text).toBe("done");
  expect(warnings).toEqual([expect.stringMatching(/post_tool.*takes no \$ref/)]);
});

it("case 20: a union at the root is carried by an object schema, never emptied", async () => {
  const shape = z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("circle"), radius: z.number() }),
    z.object({ kind: z.literal("square"), side: z.number() }),
  ]);
  const draw = createTool({ name: "draw", description: "Draws a shape.", inputSchema: shape, execute: (input) => input.kind });
  const script = new ScriptedModel(["done"]);
  @model(script)
  @usesTools([draw])
  class DrawAgent extends Agent {}
  await DrawAgent.generate("go");
  const sent = script.requests[0]?.tools[0]?.parameters;
  expect(sent?.type).toBe("object");
  expect(sent?.oneOf ?? sent?.anyOf).toHaveLength(2);
  expect(validateToolInput(draw, { kind: "circle", radius: 1 })).toMatchObject({ ok: true });
  expect(validateToolInput(draw, { kind: "circle", side: 1 })).toMatchObject({ ok: false });
});
