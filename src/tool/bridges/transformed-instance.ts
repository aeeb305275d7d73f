import { type Fault, fail, type Result, succeed } from "../../schema/index.js";
import { isPlainObject, memberPath } from "../definition/revival.js";
import { transformsOf } from "./class-transformer.js";
import { loadTransformer } from "./load-peer.js";
import { viewOf } from "./transformer-view.js";

const transformOptions = { exposeUnsetFields: false };

/**
 * Makes an instance as class-transformer does, with `@Type`, `@Transform`, `@Expose` and `@Exclude`. Absent fields
 * stay absent. Types are never guessed from what the compiler emitted (`enableImplicitConversion`), because that
 * makes true of the text "false" (typestack/class-transformer#550).
 */
export function toInstance(constructor: object, plain: Readonly<Record<string, unknown>>): object {
  return loadTransformer().plainToInstance(viewOf(constructor) as object, plain, transformOptions);
}

/** As `toInstance`; an error of a `@Transform` becomes a fault of its input value. `path` is the place of the instance. */
export function readInstance(
  constructor: object,
  plain: Readonly<Record<string, unknown>>,
  path: string,
): Result<Record<string, unknown>, readonly Fault[]> {
  try {
    return succeed(toInstance(constructor, plain) as Record<string, unknown>);
  } catch (error) {
    const faults = unreadable(constructor, plain, path);
    // What failed elsewhere, such as a constructor, is no fault of a value.
    if (faults.length === 0) throw error;
    return fail(faults);
  }
}

/** class-transformer rethrows a function's error without naming the value, so each value is transformed again. */
function unreadable(constructor: object, plain: Readonly<Record<string, unknown>>, path: string): readonly Fault[] {
  const transforms = transformsOf(constructor);
  return (transforms?.properties ?? []).flatMap((property) => {
    const key = transforms?.keyOf(property);
    if (key === undefined || !Object.hasOwn(plain, key)) return [];
    const place = memberPath(path, key);
    const inside = unreadableMembers(transforms?.typeOf(property)?.(), plain[key], place);
    if (inside.length > 0) return inside;
    try {
      transforms
        ?.functionsOf(property)
        .reduce((value, transform) => transform({ value, key: property, obj: plain, type: 0, options: transformOptions }), plain[key]);
      return [];
    } catch (error) {
      return [{ path: place, message: `can't be read: ${error instanceof Error ? error.message : String(error)}`, keyword: "transform" }];
    }
  });
}

function unreadableMembers(type: unknown, value: unknown, path: string): readonly Fault[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => unreadableMembers(type, item, memberPath(path, index)));
  return typeof type === "function" && isPlainObject(value) ? unreadable(type, value, path) : [];
}
