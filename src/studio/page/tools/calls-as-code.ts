import type { ToolDetail } from "../../api.js";
import type { JsonObject } from "../shared/json-object.js";

/** The same call in a program and in a terminal. */
export function callsAsCode(
  { className, name, module }: ToolDetail,
  given: JsonObject,
  context: JsonObject,
): readonly { readonly label: string; readonly text: string }[] {
  const identifier = /^[A-Za-z_$][\w$]*$/.test(className) ? className : "MyTool";
  const json = JSON.stringify(given, undefined, 2);
  const hasContext = Object.keys(context).length > 0;
  const options = hasContext ? `, { toolContext: ${JSON.stringify(context)} }` : "";
  const call = `npx toolwright call ${quoted(name)} --json ${quoted(JSON.stringify(given))} --module ${quoted(module)}`;
  const written = `echo ${quoted(JSON.stringify(context))} > context.json`;
  return [
    {
      label: "TypeScript",
      text: `import { ToolExecutor } from "toolwright/execution";\n\nconst executor = new ToolExecutor({ tools: [${identifier}] });\nawait executor.run(${identifier}, ${json}${options});`,
    },
    { label: "Terminal", text: hasContext ? `${written}\n${call} --context context.json` : call },
  ];
}

/** A word for a POSIX shell. */
const quoted = (word: string): string => (/^[\w./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);
