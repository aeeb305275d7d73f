import { isMissingPackage } from "../../platform/index.js";
import { RuntimeError } from "../runtime-error.js";

// Only types are imported, which leave nothing behind in the code.
export type Dbos = typeof import("@dbos-inc/dbos-sdk");
export type DbosClient = Awaited<ReturnType<Dbos["DBOSClient"]["create"]>>;

/** Bundlers leave it to the runtime: it reads its own files, and applications that use another runtime don't have it. */
const packageName = "@dbos-inc/dbos-sdk";

/** `owner`: the class or function that needs it, for the error. */
export async function loadDbos(owner: string): Promise<Dbos> {
  try {
    const module = (await import(/* webpackIgnore: true */ /* turbopackIgnore: true */ /* @vite-ignore */ packageName)) as Dbos & {
      readonly default?: Dbos;
    };
    return module.default ?? module;
  } catch (error) {
    if (!isMissingPackage(error, packageName)) throw error;
    throw new RuntimeError(
      "unsupported",
      `${owner} needs the package ${packageName}, which isn't installed: npm install ${packageName} pg`,
      {
        cause: error,
      },
    );
  }
}
