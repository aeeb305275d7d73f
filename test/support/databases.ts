import { Client } from "pg";

let made = 0;

/** Makes an empty database on a server, for what takes no schema. Returns its address. */
export async function newDatabase(server: string, prefix: string): Promise<string> {
  made += 1;
  const name = `${prefix}_${process.pid}_${Date.now()}_${made}`;
  const client = new Client({ connectionString: server });
  await client.connect();
  await client.query(`CREATE DATABASE ${name}`);
  await client.end();
  const address = new URL(server);
  address.pathname = name;
  return address.href;
}
