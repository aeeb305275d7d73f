/**
 * npm run test:durable [-- words for jest]
 *
 * Tests the forms of storage that need more than this version of Node: SQLite, with Node 24 from npm if this Node has none, and Postgres.
 */
import { spawn } from "node:child_process";
import { nodeWithSqlite, startPostgres } from "./services.mjs";

const words = process.argv.slice(2);
const server = await startPostgres();
const env = { ...process.env, DURABLE_TESTS: "1", DATABASE_URL: server.url };
const jest = [
  "node_modules/jest/bin/jest.js",
  ...(words.length > 0
    ? words
    : ["test/postgres", "test/storage", "test/durable/conversations", "test/web/one-conversation", "test/agent/journal/crashes"]),
];
const code = await new Promise((resolve) => spawn(nodeWithSqlite(), jest, { stdio: "inherit", env }).once("close", resolve));
await server.stop();
process.exit(code ?? 1);
