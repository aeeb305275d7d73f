/** What Toolwright reads of class-transformer: its functions, and the store that its decorators write to. */
type PeerModule = "class-transformer" | "class-transformer/cjs/storage";

// Written out so that bundlers see what is required, and each inside `try`, where a bundler takes what isn't installed for optional.
// What stands for it in ES modules, scripts/build.mjs says.
const loaders: Readonly<Record<PeerModule, () => unknown>> = {
  "class-transformer": () => {
    try {
      return require("class-transformer");
    } catch (error) {
      return absent(error);
    }
  },
  "class-transformer/cjs/storage": () => {
    try {
      return require("class-transformer/cjs/storage");
    } catch (error) {
      return absent(error);
    }
  },
};

const loaded = new Map<PeerModule, unknown>();

/** The module of an optional peer; undefined if it isn't installed. Any other failure to load it is thrown. */
export function loadPeer(name: PeerModule): unknown {
  if (!loaded.has(name)) loaded.set(name, loaders[name]());
  return loaded.get(name);
}

function absent(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code !== "MODULE_NOT_FOUND") throw error;
}
