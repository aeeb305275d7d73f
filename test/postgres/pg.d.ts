/** What the tests use of it: the package has no types of its own. */
declare module "pg" {
  import type { PostgresPool } from "../../src/storage/index.js";
  export const Pool: new (options: { readonly connectionString: string }) => PostgresPool;
}
