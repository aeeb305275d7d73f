import { ToolDefinitionError } from "../tool/index.js";

/**
 * The error if the import of a package of the official SDK failed, which is an optional peer. A missing package gives a
 * `ToolDefinitionError` with the install command; otherwise it is the failure itself. `owner` is the function that needs it. Each import
 * has a `try` of its own: bundlers
 * take what is imported in one for optional.
 */
export function importError(error: unknown, name: string, owner: string): unknown {
  const { message } = error as Error;
  // A package that is there but lacks one of its own dependencies fails in the same way.
  const isMissing =
    /^(Cannot find|Could not resolve|No such module)/.test(message) && [`'${name}`, `"${name}`].some((text) => message.includes(text));
  if (!isMissing) return error;
  return new ToolDefinitionError(`${owner} needs the package ${name}, which isn't installed: npm install ${name}`, { cause: error });
}
