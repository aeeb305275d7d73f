/** class-transformer + class-validator: the pair that class-based applications use today. It makes no JSON Schema and has no agent. */
import "reflect-metadata";
import { plainToInstance, Type } from "class-transformer";
import { IsArray, IsIn, IsInt, IsOptional, IsString, Matches, Max, Min, MinLength, ValidateNested, validate } from "class-validator";
import { decorate, invalidArguments, searchOrders, statuses, validArguments, validText, zipPattern } from "../fixture.mjs";

function defineInput() {
  class Address {
    street;
    zip;
  }
  decorate(Address, "street", IsString());
  decorate(Address, "zip", IsString(), Matches(new RegExp(zipPattern)));
  class SearchOrdersInput {
    customer;
    status = "open";
    limit = 10;
    tags;
    address;
  }
  decorate(SearchOrdersInput, "customer", IsString(), MinLength(1));
  decorate(SearchOrdersInput, "status", IsOptional(), IsIn(statuses));
  decorate(SearchOrdersInput, "limit", IsOptional(), IsInt(), Min(1), Max(100));
  decorate(SearchOrdersInput, "tags", IsOptional(), IsArray(), IsString({ each: true }));
  decorate(
    SearchOrdersInput,
    "address",
    IsOptional(),
    ValidateNested(),
    Type(() => Address),
  );
  return SearchOrdersInput;
}

const describeErrors = (errors, path = "") =>
  errors.flatMap(({ property, constraints = {}, children = [] }) => [
    ...Object.values(constraints).map((message) => `${path}${message}`),
    ...describeErrors(children, `${path}${property}.`),
  ]);

export function make() {
  const Input = defineInput();
  const call = async (value) => {
    const input = plainToInstance(Input, value, { exposeDefaultValues: true });
    const errors = await validate(input, { whitelist: true, forbidNonWhitelisted: true });
    return errors.length > 0 ? describeErrors(errors).join("; ") : searchOrders(input);
  };
  return {
    textOf: (result) => result,
    calls: {
      object: () => call(validArguments),
      text: () => call(JSON.parse(validText)),
      invalid: () => call(invalidArguments),
    },
    define: () => ({ Input: defineInput(), execute: searchOrders }),
  };
}
