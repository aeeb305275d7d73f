import { isTypeToken } from "../../schema/index.js";
import type { ParameterMetadata } from "../metadata.js";
import { type Place, placeOf } from "./place.js";

type Decorator = "required" | "optional";

/**
 * The decorator behind `@required` and `@optional`. What a leading string means is known only when it is applied:
 * the description of a field, or the name of a parameter of `call`.
 */
export function parameterDecorator(
  decorator: Decorator,
  written: readonly unknown[],
): (target: unknown, keyOrContext: unknown, third?: unknown) => void {
  return (target, keyOrContext, third) => {
    const place = placeOf(decorator, target, keyOrContext, third);
    const mistake = writeParameter(decorator, written, place);
    if (mistake !== undefined) place.metadata.mistakes.push(mistake);
  };
}

/** Answers the author's mistake, if there is one. */
function writeParameter(decorator: Decorator, written: readonly unknown[], place: Place): string | undefined {
  const [first, ...rest] = written;
  if (place.kind === "elsewhere") {
    return `@${decorator} on ${place.what}: a parameter is a public instance field, or a parameter of call. Move the decorator to one.`;
  }

  if (place.kind === "field") {
    const { metadata, name, designType } = place;
    if (name === "call") return `@${decorator} on call: this name is taken by the method that runs the tool. Rename the field.`;
    if (metadata.fields.has(name)) return `@${decorator} on ${name}: it is decorated twice. Keep one of @required and @optional.`;
    if (typeof first === "string" && rest.length > 0) {
      return `@${decorator} on ${name}: a field takes no name. Write @${decorator}(String, "The description") ${name}.`;
    }
    metadata.fields.set(name, { name, required: decorator === "required", ...readForm(written), designType });
    return undefined;
  }

  const { metadata, index, designType } = place;
  if (typeof first !== "string" || first === "") {
    return (
      `@${decorator} on parameter ${index + 1} of call: its name can't be read at run time. ` +
      `Write it first: @${decorator}("name", String).`
    );
  }
  if (metadata.callParameters.has(index)) {
    return `@${decorator} on parameter ${index + 1} of call: it is decorated twice. Keep one of @required and @optional.`;
  }
  metadata.callParameters.set(index, { name: first, required: decorator === "required", ...readForm(rest), designType });
  return undefined;
}

/** `()`, `(type)`, `(type, description)`, `(type, options)`, `(options)`, `(description)`. */
function readForm(form: readonly unknown[]): Pick<ParameterMetadata, "type" | "options"> {
  const [first, second] = form;
  const written = isTypeToken(first) ? second : first;
  const { type, ...options } = (typeof written === "string" ? { description: written } : (written ?? {})) as Record<string, unknown>;
  return { type: isTypeToken(first) ? first : type, options };
}
