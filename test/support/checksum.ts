import { crc32 as nodeCrc32 } from "node:zlib";

/** Node 20.20 has it; its types don't. */
export const crc32 = nodeCrc32 as unknown as (data: Buffer) => number;
