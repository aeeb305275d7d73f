import { join } from "node:path";

/** The compiled form of a module of this folder. */
export const fileOf = (name: string): string => join(process.cwd(), "build/test/isolation", `${name}.js`);
