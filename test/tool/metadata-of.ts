import { metadataChain, type ParameterMetadata } from "../../src/tool/metadata.js";

/** The fields that a class and its bases declare, the design type aside. */
export const fieldsOf = (constructor: object): Record<string, Omit<ParameterMetadata, "name" | "designType">> =>
  Object.fromEntries(
    metadataChain(constructor).flatMap(({ fields }) =>
      fields.map(({ name, required, type, options }) => [name, { required, type, options }]),
    ),
  );

export const mistakesOf = (constructor: object): string[] => metadataChain(constructor).flatMap(({ mistakes = [] }) => mistakes);
