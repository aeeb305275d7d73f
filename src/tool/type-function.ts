import { isPromiseLike } from "./is-promise-like.js";
import { ToolDefinitionError } from "./tool-errors.js";

/**
 * The type that an arrow function such as `() => Node` returns. `place` begins the message of an error: classes may not exist yet if
 * the definition is read while their files load.
 */
export function typeBehind(typeFunction: () => unknown, place: string): unknown {
  let type: unknown;
  try {
    type = typeFunction();
  } catch (error) {
    if (error instanceof ReferenceError) throw new ToolDefinitionError(`${place}: ${notYet(error.message)}`, { cause: error });
    const reason = error instanceof Error ? error.message : String(error);
    throw new ToolDefinitionError(`${place}: the arrow function that names its type threw: ${reason}. Return a type: () => Node.`, {
      cause: error,
    });
  }
  if (type === undefined || type === null) {
    throw new ToolDefinitionError(`${place}: ${notYet(`the arrow function that names its type returned ${type}`)}`);
  }
  if (isPromiseLike(type)) {
    throw new ToolDefinitionError(
      `${place}: the arrow function that names its type returned a promise. Import the class at the top of the file, and return it: () => Node.`,
    );
  }
  return type;
}

const notYet = (what: string): string =>
  `its type doesn't exist yet: ${what}. The definition was read before that class was defined, or two files import each other. ` +
  "Define the class above the line that attaches the tool, or move it into a file that imports neither.";
