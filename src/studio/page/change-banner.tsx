import { useState } from "preact/hooks";
import type { Overview } from "../api.js";
import { keepText, keptText } from "./shared/kept-texts.js";
import { ask, messageOf } from "./shared/request.js";
import { Block, Fault, Visible } from "./shared/text.js";

/** What changed on disk, and the way to load it. */
export function ChangeBanner({ overview: { tools, agents, changedFiles, canRestart, problem } }: { readonly overview: Overview }) {
  const [loadedAt] = useState(takeLoadTime);
  if (changedFiles.length === 0 && problem === undefined) {
    if (loadedAt === undefined) return null;
    return (
      <div class="banner loaded" role="status">
        <p>
          The modules were loaded again at {loadedAt}: tools {tools.length}, agents {agents.length}.
        </p>
      </div>
    );
  }
  return (
    <div class="banner" role="status">
      {problem === undefined ? (
        <p>
          <Visible text={namesOf(changedFiles)} /> changed on disk. The studio still runs what it loaded.
          {!canRestart && " Start it again to load the change."}
        </p>
      ) : (
        <>
          <p>Correct the modules, and load them again.</p>
          <Block text={problem} label="Why the modules can't be loaded" />
        </>
      )}
      {canRestart && <RestartButton />}
    </div>
  );
}

/** A formatter or another branch may have changed hundreds. */
function namesOf(files: readonly string[]): string {
  const others = files.length - shownNames;
  return others > 1 ? `${files.slice(0, shownNames).join(", ")} and ${others} more files` : files.join(", ");
}

const shownNames = 3;

const loadTimeName = "loaded";

/** When the modules were loaded again just now, once. */
function takeLoadTime(): string | undefined {
  const time = keptText(loadTimeName);
  keepText(loadTimeName, undefined);
  return time;
}

/** Has the modules loaded again by a fresh process, and then the page. */
export function RestartButton() {
  const [isLoading, setLoading] = useState(false);
  const [fault, setFault] = useState<string>();
  const load = async (): Promise<void> => {
    setLoading(true);
    setFault(undefined);
    try {
      await restarted();
      keepText(loadTimeName, new Date().toLocaleTimeString());
      location.reload();
    } catch (error) {
      setFault(messageOf(error));
      setLoading(false);
    }
  };
  return (
    <>
      <button type="button" class="plain" disabled={isLoading} onClick={() => void load()}>
        {isLoading ? "Loading..." : "Load modules again"}
      </button>
      <Fault message={fault} />
    </>
  );
}

/** Milliseconds between two looks whether the next process answers, and until none is expected any more. */
const interval = 100;
const longestWait = 60_000;

/** Has the modules loaded by another process, and waits until it answers at the same address. */
async function restarted(): Promise<void> {
  const { process: before } = await ask<{ readonly process: string }>("/api/restart", {});
  for (const start = performance.now(); performance.now() - start < longestWait; ) {
    await new Promise((resolve) => setTimeout(resolve, interval));
    const now = await ask<Overview>("/api/studio").catch(() => undefined);
    if (now !== undefined && now.process !== before) return;
  }
  throw new Error("The studio doesn't answer after a minute. Look into its terminal.");
}
