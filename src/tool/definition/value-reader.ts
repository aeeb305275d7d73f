import { type Fault, fail, type JsonSchema, type Result, succeed } from "../../schema/index.js";
import { compileSchema } from "../../schema/internal.js";
import { checkByRules } from "../bridges/class-validator.js";
import type { ReturnsOption } from "../decorators/returns.js";
import { isRawSchema } from "./resolve-definition.js";
import { allSettled, type Holder, startRevival } from "./revival.js";
import { ShapeBuilder } from "./shape-builder.js";
import { shapeOfToken } from "./value-shape.js";

/** Reads JSON that somebody else wrote as a value of a declared type. */
export interface ValueReader {
  readonly schema: JsonSchema;
  /** Applies defaults and repairs, makes instances, and asks every rule, as for the arguments of a tool. The value may be changed. */
  read(value: unknown): Promise<Result<unknown, readonly Fault[]>>;
}

/** Throws `ToolDefinitionError` for a type that can't be known; `place` names it in errors. */
export function valueReader(type: ReturnsOption, place: string): ValueReader {
  const builder = new ShapeBuilder();
  const shape = isRawSchema(type) ? { schema: builder.adopt(type.schema, place) } : shapeOfToken(type, place, builder);
  builder.complete();
  const validator = compileSchema(builder.localSchema(shape.schema));
  return {
    schema: builder.withDefinitions(shape.schema),
    async read(value) {
      const validated = validator.validate(value, { owned: true, repair: true });
      if (!validated.ok) return validated;
      const revival = startRevival();
      const holder: Holder = { root: validated.value };
      shape.revive?.(holder, "root", "", revival);
      await allSettled(revival);
      if (revival.faults.length > 0) return fail(revival.faults);
      const { root } = holder;
      const faults = builder.hasRules && typeof root === "object" && root !== null ? await checkByRules(root) : [];
      return faults.length > 0 ? fail(faults) : succeed(root);
    },
  };
}
