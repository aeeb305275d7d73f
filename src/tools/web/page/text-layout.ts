/** Collects text as a reader sees it: white space collapses, blocks stand in lines of their own. */
export class TextLayout {
  readonly #parts: string[] = [];
  #lineBreaks = 0;
  #space = false;

  /** Text within a line. */
  add(text: string): void {
    const collapsed = text.replace(/\s+/g, " ");
    if (collapsed.startsWith(" ")) this.#space = true;
    const words = collapsed.trim();
    if (words === "") return;
    this.addExactly(words);
    this.#space = collapsed.endsWith(" ");
  }

  /** Text that keeps its white space. */
  addExactly(text: string): void {
    if (this.#parts.length > 0) this.#parts.push(this.#lineBreaks > 0 ? "\n".repeat(this.#lineBreaks) : this.#space ? " " : "");
    this.#parts.push(text);
    this.#lineBreaks = 0;
    this.#space = false;
  }

  /** The next text begins a new line, after an empty one if there are two breaks. */
  break(lines: 1 | 2): void {
    this.#lineBreaks = Math.max(this.#lineBreaks, lines);
  }

  /** A space between what was and what follows, unless a line ends there. */
  space(): void {
    this.#space = true;
  }

  toString(): string {
    return this.#parts.join("").trim();
  }
}
