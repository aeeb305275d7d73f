/** Which properties and items of one value some keyword has looked at: `unevaluatedProperties` and `unevaluatedItems` take the others. */
export class Evaluated {
  readonly names = new Set<string>();
  /** Items before this index. */
  items = 0;
  /** Items anywhere that `contains` took. */
  readonly contained = new Set<number>();

  has(key: string | number): boolean {
    return typeof key === "string" ? this.names.has(key) : key < this.items || this.contained.has(key);
  }

  add(other: Evaluated): void {
    for (const name of other.names) this.names.add(name);
    for (const index of other.contained) this.contained.add(index);
    this.items = Math.max(this.items, other.items);
  }

  get size(): number {
    return this.names.size + this.contained.size;
  }
}
