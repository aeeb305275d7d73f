import type { JournalEntry, Storage } from "../../src/storage/index.js";
import { Program } from "./storage-programs.js";

/**
 * Kills a program that appends in a loop, as often as said, at other moments each time. After each kill the journal has to hold every
 * append that was acknowledged, in order, without a gap, and the next program has to go on with it.
 */
export async function expectAppendsToSurviveKills(compiled: string, made: string, open: () => Storage, kills: number): Promise<void> {
  for (let kill = 0; kill < kills; kill++) {
    // Leases of programs that were killed end soon.
    const program = new Program(
      compiled,
      `const { journals, leases } = ${made};
      let lease; do lease = await leases.acquire("run 1", String(process.pid), 20); while (lease.owner !== String(process.pid));
      let position = (await journals.read("1")).length;
      for (;;) {
        const entries = Array.from({ length: 1 + position % 3 }, (_, index) => ({ kind: "test", number: position + index, text: "x".repeat(position % 7 * 1000) }));
        await journals.append({ runId: "1", agent: "a", status: "running", position, entries }, lease);
        say(position += entries.length);
      }`,
    );
    const before = await program.hears(1 + (kill % 5));
    // A moment within an append, which takes about a millisecond.
    await new Promise((resolve) => setTimeout(resolve, (kill * 7) % 11));
    await program.kill();

    const acknowledged = program.said.at(-1) as number;
    expect(acknowledged).toBeGreaterThanOrEqual(before.at(-1) as number);
    const storage = open();
    const entries = (await storage.journals.read("1")) as readonly (JournalEntry & { readonly number: number })[];
    expect(entries.map(({ number }) => number)).toEqual(entries.map((_, index) => index));
    expect(entries.length).toBeGreaterThanOrEqual(acknowledged);
    expect((await storage.journals.head("1"))?.length).toBe(entries.length);
    await storage.close?.();
  }
}
