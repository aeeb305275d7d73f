/** Tools that do what a tool shouldn't, each in a worker and in a process. The classes of a JavaScript file are decorated by calls. */
import { spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { description, isolated, timeout, Tool, optional } from "toolwright";

/** The marks of processes that tools start: they sleep as long as no other process of the machine. */
export const mark = "86399.75";

const deeds = {
  loop() {
    for (;;);
  },
  expression() {
    return /^(a+)+$/.test(`${"a".repeat(60)}!`);
  },
  exit() {
    process.exit(3);
  },
  print() {
    console.log("Content-Length: nonsense");
    process.stdout.write("not a message\n");
    return "printed";
  },
  timer() {
    setTimeout(() => {
      throw new Error("from a timer");
    }, 1);
    return sleep(60_000);
  },
  memory() {
    const kept = [];
    for (;;) kept.push(new Array(50_000).fill(kept.length));
  },
  "huge allocation"() {
    return new Array(1e9).fill(0).length;
  },
  "start and loop"() {
    spawn("sleep", [mark], { stdio: "ignore" });
    for (;;);
  },
  "wait for ever"() {
    return new Promise(() => undefined);
  },
};

function decorated(toolClass, place, milliseconds) {
  optional(String, "What to do")(toolClass.prototype, "deed");
  description("Misbehaves.")(toolClass);
  timeout(milliseconds)(toolClass);
  isolated(place, { module: import.meta.url })(toolClass);
  return toolClass;
}

class Misbehaving extends Tool {
  call() {
    return deeds[this.deed]();
  }
}

// The start of a thread or process counts too, and takes a while on a busy machine.
export const HangsInWorker = decorated(class HangsInWorker extends Misbehaving {}, "worker", 2_000);
export const HangsInProcess = decorated(class HangsInProcess extends Misbehaving {}, "process", 2_000);
export const InWorker = decorated(class InWorker extends Misbehaving {}, "worker", 20_000);
export const InProcess = decorated(class InProcess extends Misbehaving {}, "process", 20_000);
