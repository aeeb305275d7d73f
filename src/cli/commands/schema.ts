import { toProviderTools } from "../../models/internal.js";
import type { CommandModule } from "../command-table.js";
import { exitCodes } from "../exit-codes.js";
import { writeJson } from "../host.js";
import { findTool, loadDefinitions } from "../modules/definitions.js";
import { dialectsOf } from "../modules/provider.js";

export const run: CommandModule["run"] = async (names, options, host) => {
  const definitions = await loadDefinitions([], options, host);
  const found = names.length === 0 ? definitions.tools : names.map((name) => findTool(definitions, name));
  const tools = found.map(({ tool }) => tool);
  if (options.provider === undefined) {
    await writeJson(
      host,
      tools.map(({ definition: { name, description, parametersSchema, outputSchema } }) => ({
        name,
        description,
        parametersSchema,
        ...(outputSchema !== undefined && { outputSchema }),
      })),
    );
    return exitCodes.success;
  }
  for (const dialect of dialectsOf(options.provider)) await writeJson(host, toProviderTools(tools, dialect));
  return exitCodes.success;
};
