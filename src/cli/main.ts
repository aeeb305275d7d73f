#!/usr/bin/env node
import nodeModule from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { cacheFolder } from "./loader/cache-folder.js";

/** Since Node 22.8: what is loaded from here on is compiled once, and not at each start. If the folder can't be written, nothing is kept. */
const { enableCompileCache } = nodeModule as { readonly enableCompileCache?: (folder: string) => unknown };
const folder = cacheFolder(fileURLToPath(import.meta.url));
if (folder !== undefined) enableCompileCache?.(join(folder, "code"));
await import("./run.js");
