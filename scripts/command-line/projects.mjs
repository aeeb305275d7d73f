/** The projects that `toolwright init` writes, as a newcomer tries them: npm install, npm start, npm test. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { expect, run } from "./program.mjs";

/** Every variant of `init`. */
export const variants = [
  ...["plain", "web"].flatMap((template) =>
    ["legacy", "standard"].flatMap((decorators) => [
      { name: `${template}-${decorators}`, options: ["--template", template, "--decorators", decorators, "--no-injection"] },
      { name: `${template}-${decorators}-injection`, options: ["--template", template, "--decorators", decorators, "--injection"] },
    ]),
  ),
  { name: "nest", options: ["--template", "nest"] },
];

export const answer = "The shop in Main Street is open from 9 to 18.";
export const question = 'When is the shop in "Main Street" open?';

/** Writes a project in `home`, which has the packed package, and tries it. */
export async function tryProject({ name, options }, home, tarball) {
  run("npx", ["toolwright", "init", name, ...options], home);
  const project = join(home, name);
  // This version isn't on the registry.
  run("npm", ["pkg", "set", `dependencies.toolwright=file:${tarball}`], project);
  run("npm", ["install", "--prefer-offline", "--no-audit", "--no-fund"], project);
  if (name.startsWith("plain")) expect(run("npm", ["start"], project), answer, "npm start");
  else await askServer(project);
  run("npm", ["test"], project);
  expect(run("npm", ["run", "check"], project), "0 errors, 0 warnings", "npm run check");
  expect(run("npx", ["toolwright", "list"], project), "opening_hours", "list");
}

/** Starts the server of a project, asks it once and stops it as Ctrl-C does. */
async function askServer(project) {
  const env = { ...process.env, PORT: "0" };
  // In a group of its own: a terminal sends Ctrl-C to all processes of npm start.
  const server = spawn("npm", ["start"], { cwd: project, env, stdio: ["ignore", "pipe", "inherit"], detached: true });
  const ended = once(server, "exit");
  const endGroup = (signal) => process.kill(-server.pid, signal);
  const tooLong = setTimeout(endGroup, 120_000, "SIGKILL");
  try {
    let printed = "";
    for await (const piece of server.stdout) {
      printed += piece;
      if (printed.includes("Ask: POST")) break;
    }
    const [, url] = /(http:\S+\/chat)/.exec(printed) ?? [];
    if (url === undefined) throw new Error(`npm start printed no address:\n${printed}`);
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ prompt: question }),
    });
    expect(await response.text(), answer, "the server's answer");
    endGroup("SIGINT");
    await ended;
    if (await answers(url)) throw new Error("npm start: the server still answers after Ctrl-C.");
  } finally {
    clearTimeout(tooLong);
    if (server.exitCode === null && server.signalCode === null) endGroup("SIGKILL");
  }
}

const answers = (url) =>
  fetch(url).then(
    () => true,
    () => false,
  );
