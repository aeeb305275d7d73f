import { ToolDefinitionError } from "../tool-errors.js";
import type { DesignType, ParameterMetadata } from "../metadata.js";

/** The line to write instead: a type that is always right, in the author's own form. */
const remedy = (parameter: ParameterMetadata): string => {
  const decorator = parameter.required ? "@required" : "@optional";
  const line = `Write it out: ${decorator}(String) ${parameter.name} (or Number, Integer, Boolean, Date, [String], a class, ...).`;
  return parameter.required
    ? line
    : `${line} An initializer is not seen: a default is written @optional({ default: ... }) ${parameter.name}.`;
};

/** Why nothing is known of a parameter's type, per compiler (docs/toolchains.md). */
function reasonFor(design: DesignType): string {
  if (!design.known) {
    switch (design.reason) {
      case "standard_decorators":
        return "standard decorators carry no type information";
      case "reflect_metadata_missing":
        return "reflect-metadata was not loaded before this class; import toolwright first";
      case "not_emitted":
        return "the compiler emitted no design:type (esbuild, tsx and Vite 7 never do; tsc, swc, Bun and Vite 8 need emitDecoratorMetadata)";
    }
  }
  if (design.type === undefined) {
    return "its declared class was still undefined when this class was defined (a circular import), or its type is null, undefined or never";
  }
  if (design.type === Array) return "the compiler emits only that it is an array, not its item type";
  if (design.type === Object || design.type === Function) {
    return "its declared type has no form at run time (a union, interface, alias or type-only import)";
  }
  return `its declared type ${typeof design.type === "function" ? design.type.name : String(design.type)} says too little`;
}

/** What to add to a field of a DTO, which stays without Toolwright's decorators. */
const remedyByRules = (name: string, isList: boolean): string =>
  isList
    ? `Say what the list holds: @IsString({ each: true }) ${name}, or @Type(() => Item) ${name} for a class.`
    : `Add a rule that says it: @IsString() ${name} (or @IsInt, @IsNumber, @IsBoolean, @IsObject), or @Type(() => Item) ${name} for a class.`;

/** The error for a type that can't be known: class, field, reason, and the line to write. */
export function unknownType(place: string, parameter: ParameterMetadata, design: DesignType, dto: boolean): ToolDefinitionError {
  const isList = design.known && design.type === Array;
  const line = isList
    ? `Write the item type out: ${parameter.required ? "@required" : "@optional"}([String]) ${parameter.name}.`
    : remedy(parameter);
  return new ToolDefinitionError(
    `${place}: type unknown, because ${reasonFor(design)}. ${dto ? remedyByRules(parameter.name, isList) : line}`,
  );
}
