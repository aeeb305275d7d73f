import type { ToolClass } from "../tool/index.js";
import type { AttachedTools } from "./attached-tools.js";

/** Users with different permissions have different lists, and take turns. */
const mostLists = 8;
/** Tools in all of them, which may be thousands each. */
const mostTools = 50_000;

/** The lists of tools that runs of one agent class had, made ready, so that a run costs the same however many tools it has. */
export class KeptLists {
  /** That of the last run that began. */
  latest: AttachedTools | undefined;
  /** By lists that give the same tools in every context. */
  readonly fixed = new WeakMap<object, AttachedTools>();
  /** The last used first. */
  #lists: readonly AttachedTools[] = [];

  /** The tools of a list, which are made ready if they weren't kept. */
  take(classes: readonly ToolClass[], make: () => AttachedTools): AttachedTools {
    const [first] = this.#lists;
    if (first?.holds(classes) === true) return first;
    const taken = this.#lists.find((kept) => kept.holds(classes)) ?? make();
    const others = this.#lists.filter((kept) => kept !== taken).slice(0, mostLists - 1);
    let left = mostTools - classes.length;
    this.#lists = [taken, ...others.filter((kept) => (left -= kept.classes.length) >= 0)];
    return taken;
  }
}
