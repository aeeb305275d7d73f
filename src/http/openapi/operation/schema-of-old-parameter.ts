const oldSchemas = new WeakMap<object, Readonly<Record<string, unknown>>>();

/** A parameter of OpenAPI 2.0 without what isn't its schema; made once, whichever operations share the parameter. */
export function schemaOfOldParameter(parameter: object): Readonly<Record<string, unknown>> {
  const known = oldSchemas.get(parameter);
  if (known !== undefined) return known;
  const { name: _name, in: _in, required: _required, allowEmptyValue: _allowed, ...schema } = parameter as Record<string, unknown>;
  oldSchemas.set(parameter, schema);
  return schema;
}
