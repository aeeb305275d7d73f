import { join } from "node:path";

export const conversationsIn = (directory: string): string => join(directory, "conversations");
export const journalsIn = (directory: string): string => join(directory, "journals");
