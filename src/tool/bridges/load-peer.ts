/** What Toolwright reads of class-transformer: its functions, and the store that its decorators write to. */
type PeerModule = "class-transformer" | "class-transformer/cjs/storage";

// Written out so that bundlers see what is required. The ESM build declares `require` at the top of its files.
const loaders: Readonly<Record<PeerModule, () => unknown>> = {
  "class-transformer": () => require("class-transformer"),
  "class-transformer/cjs/storage": () => require("class-transformer/cjs/storage"),
};

const loaded = new Map<PeerModule, unknown>();

/** The module of an optional peer; undefined where it isn't installed. Any other failure to load it is thrown. */
export function loadPeer(name: PeerModule): unknown {
  if (!loaded.has(name)) loaded.set(name, load(name));
  return loaded.get(name);
}

function load(name: PeerModule): unknown {
  try {
    return loaders[name]();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "MODULE_NOT_FOUND") return undefined;
    throw error;
  }
}
