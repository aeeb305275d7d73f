import { spawn } from "node:child_process";

/** Starts `toolwright studio` with words, and waits for its address. */
export function startStudio(words, node = process.execPath) {
  const program = ["--no-warnings", "dist/esm/cli/main.js", "studio", ...words, "--port", "0", "--json"];
  const studio = spawn(node, program, { stdio: ["ignore", "pipe", "inherit"], env: { ...process.env, NODE_ENV: "" } });
  process.once("exit", () => studio.kill("SIGKILL"));
  return new Promise((resolve, reject) => {
    let said = "";
    studio.stdout.on("data", (data) => {
      said += data;
      if (!said.trimEnd().endsWith("}")) return;
      const { url } = JSON.parse(said);
      resolve({ url, origin: new URL(url).origin, stop: () => studio.kill("SIGKILL") });
    });
    studio.once("close", () => reject(new Error(`The studio ended: ${said}`)));
  });
}
