/** What the tests use of it: the package has no types of its own. */
declare module "pg" {
  import type { PostgresPool, PostgresQueryable } from "../../src/storage/index.js";
  export const Client: new (options: {
    readonly connectionString: string;
  }) => PostgresQueryable & {
    connect(): Promise<void>;
    end(): Promise<void>;
  };
  export const Pool: new (options: { readonly connectionString: string }) => PostgresPool;
}
