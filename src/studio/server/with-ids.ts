/** Names as ids in addresses: the second of a name gets `~2`. */
export function withIds<Item>(items: readonly Item[], nameOf: (item: Item) => string): ReadonlyMap<string, Item> {
  const found = new Map<string, Item>();
  for (const item of items) {
    const name = nameOf(item);
    let id = name;
    for (let count = 2; found.has(id); count += 1) id = `${name}~${count}`;
    found.set(id, item);
  }
  return found;
}
