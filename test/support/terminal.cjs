/** A terminal that a program types in, made by `script` of util-linux: CommonJS, because both jest and plain Node load it. */
const { spawn, spawnSync } = require("node:child_process");
const { stripVTControlCharacters } = require("node:util");

/** Whether this machine has one. BSD's `script`, which macOS has, takes other options. */
const hasTerminal = spawnSync("script", ["--version"], { encoding: "utf8" }).stdout?.includes("util-linux") === true;

const keys = { enter: "\r", controlC: "\u0003", controlD: "\u0004" };

/** Milliseconds between what a turn waits for and what it types: a question that was just printed drops what was typed before it. */
const reactionTime = 150;

/**
 * Runs a command line of the shell in a terminal of 100 columns, and ends when it does. Each turn `[sees, types]` waits until the text stands
 * there, behind what the turn before saw, and types.
 */
function runInTerminal(commandLine, { cwd, turns = [], timeout = 25_000 }) {
  const sized = `stty cols 100 rows 40; exec ${commandLine}`;
  const terminal = spawn("script", ["--quiet", "--flush", "--return", "--command", sized, "/dev/null"], {
    cwd,
    env: { ...process.env, SHELL: "/bin/sh", TERM: "xterm" },
  });
  const left = [...turns];
  let text = "";
  let seen = 0;
  return new Promise((resolve, reject) => {
    const tooLong = setTimeout(() => {
      terminal.kill("SIGKILL");
      reject(new Error(`${commandLine} didn't show ${JSON.stringify(left[0]?.[0] ?? "its end")} in ${timeout} ms:\n${text}`));
    }, timeout);
    const look = () => {
      const [sees, types] = left[0] ?? [];
      if (sees === undefined) return;
      const shown = stripVTControlCharacters(text);
      const place = shown.indexOf(sees, seen);
      if (place < 0) return;
      seen = place + sees.length;
      left.shift();
      setTimeout(() => {
        terminal.stdin.write(types);
        look();
      }, reactionTime);
    };
    terminal.stdout.setEncoding("utf8").on("data", (piece) => {
      text += piece;
      look();
    });
    terminal.once("error", reject).once("close", (exitCode) => {
      clearTimeout(tooLong);
      resolve({ exitCode, text: stripVTControlCharacters(text).replaceAll("\r\n", "\n") });
    });
  });
}

module.exports = { hasTerminal, keys, runInTerminal };
