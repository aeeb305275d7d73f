/** A seeded source of choices (mulberry32): one seed gives one sequence on every machine, so that a find can be repeated by its numbers. */
export class Random {
  #state;

  constructor(seed) {
    this.#state = seed >>> 0;
  }

  /** From 0 up to, but without, 1. */
  next() {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** A whole number from `least` to `most`, both included. */
  integer(least, most) {
    return least + Math.floor(this.next() * (most - least + 1));
  }

  pick(choices) {
    return choices[this.integer(0, choices.length - 1)];
  }

  chance(share) {
    return this.next() < share;
  }

  /** `count` results of `make`, which gets the index. */
  list(count, make) {
    return Array.from({ length: count }, (_, index) => make(index));
  }

  /** A text of `length` characters, in pieces that `pieces` holds. */
  text(length, pieces) {
    let text = "";
    while (text.length < length) text += this.pick(pieces);
    return text.slice(0, length);
  }
}
