import type { TypeToken } from "../../schema/index.js";
import type { ParameterOptions } from "./parameter-options.js";
import { parameterDecorator } from "./write-parameter.js";

export function required<const Type extends TypeToken, const Options extends ParameterOptions>(
  type: Type,
  descriptionOrOptions?: string | Options,
): LooseDecorator;
export function required<const Options extends ParameterOptions>(options?: Options): LooseDecorator;
export function required(text: string): LooseDecorator;
export function required<const Type extends TypeToken, const Options extends ParameterOptions>(
  name: string,
  type: Type,
  descriptionOrOptions?: string | Options,
): LooseDecorator;
export function required<const Options extends ParameterOptions>(name: string, descriptionOrOptions: string | Options): LooseDecorator;
export function required(...written: readonly unknown[]): LooseDecorator {
  return parameterDecorator("required", written);
}

export function optional<const Type extends TypeToken, const Options extends ParameterOptions>(
  type: Type,
  descriptionOrOptions?: string | Options,
): LooseDecorator;
export function optional<const Options extends ParameterOptions>(options?: Options): LooseDecorator;
export function optional(text: string): LooseDecorator;
export function optional<const Type extends TypeToken, const Options extends ParameterOptions>(
  name: string,
  type: Type,
  descriptionOrOptions?: string | Options,
): LooseDecorator;
export function optional<const Options extends ParameterOptions>(name: string, descriptionOrOptions: string | Options): LooseDecorator;
export function optional(...written: readonly unknown[]): LooseDecorator {
  return parameterDecorator("optional", written);
}

type LooseDecorator = (target: unknown, keyOrContext: unknown, third?: unknown) => void;
