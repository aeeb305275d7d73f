import { describeValue } from "../../schema/internal.js";
import { isOptions } from "../option-names.js";
import type { ToolIsolation } from "../tool-definition.js";
import { ToolDefinitionError } from "../tool-errors.js";
import { refuseUnknown } from "../unknown-name.js";

const memberNames: readonly string[] = ["in", "module", "services", "environment"] satisfies (keyof ToolIsolation)[];

/** Checks what `@isolated` got. The copy is frozen. */
export function readIsolation(written: unknown, owner: string): ToolIsolation {
  if (!isOptions(written)) {
    throw new ToolDefinitionError(`${owner}: isolated takes { in, module }, got ${describeValue(written)}. ${example}`);
  }
  refuseUnknown(written, memberNames, `${owner}: isolated`);
  const { in: place, module, services, environment } = written as Readonly<Record<keyof ToolIsolation, unknown>>;
  if (place !== "worker" && place !== "process") {
    throw new ToolDefinitionError(`${owner}: isolated must be in "worker" or "process", got ${describeValue(place)}. ${example}`);
  }
  if (typeof module !== "string" || !isFile(module)) {
    throw new ToolDefinitionError(
      `${owner}: isolated needs as module the file that exports the class, got ${describeValue(module)}. ` +
        "Write module: import.meta.url, or module: __filename in CommonJS.",
    );
  }
  if (services !== undefined && (typeof services !== "string" || !(services.startsWith(".") || isFile(services)))) {
    throw new ToolDefinitionError(
      `${owner}: services of isolated must be the path of a set-up module, got ${describeValue(services)}. Write services: "./services.js".`,
    );
  }
  if (environment !== undefined) checkEnvironment(environment, place, owner);
  return Object.freeze({
    in: place,
    module,
    ...(services === undefined ? {} : { services }),
    ...(environment === undefined ? {} : { environment: Object.freeze([...environment]) }),
  });
}

const example = 'Write @isolated("worker", { module: import.meta.url }).';

/** A `file:` URL, or an absolute path of POSIX or Windows. */
const isFile = (module: string): boolean => /^(?:file:|[/\\]|[A-Za-z]:[/\\])/.test(module);

function checkEnvironment(environment: unknown, place: ToolIsolation["in"], owner: string): asserts environment is readonly string[] {
  if (place === "worker") {
    throw new ToolDefinitionError(
      `${owner}: environment is for a tool in a process; a worker has all variables of the application. Remove it.`,
    );
  }
  if (Array.isArray(environment) && environment.every((name) => typeof name === "string" && name !== "")) return;
  throw new ToolDefinitionError(
    `${owner}: environment must list names of variables, got ${describeValue(environment)}. Write environment: ["DATABASE_URL"].`,
  );
}

/** A function can't leave its thread, so a tool made of one has nothing that could run elsewhere. */
export function refuseIsolatedFunction(owner: string): never {
  throw new ToolDefinitionError(
    `${owner}: it is isolated, but its code is a function, which can't leave the application's thread. ` +
      "Write a class that extends Tool, and export it.",
  );
}
