/** A name, or an IPv6 address in brackets, as it stands in URLs. */
export const hostName: RegExp = /^(?:[\w.-]+|\[[\da-f:.]+\])$/i;

/** Throws `TypeError` for what is no name: it would be the name of no request. `owner` begins it. */
export function hostNamesOf(names: readonly string[], owner: string): string[] {
  return listOf(names, "allowedHosts", owner).map((name) => {
    if (typeof name === "string" && hostName.test(name)) return name.toLowerCase();
    throw new TypeError(
      `${owner}: allowedHosts takes names without scheme and port, such as "tools.example.com" or "[::1]"; got ${JSON.stringify(name)}.`,
    );
  });
}

/** The names of sites: of a whole origin, its host's; `<scheme>://*` stands for all extensions of a browser. */
export function originNamesOf(origins: readonly string[], owner: string): string[] {
  return listOf(origins, "allowedOrigins", owner).map((origin) => {
    if (/^(?!https?:)[a-z][a-z\d+.-]*:\/\/\*$/.test(origin)) return origin;
    const name =
      typeof origin === "string" && /^[a-z][a-z\d+.-]*:\/\/[^/?#@]+\/?$/i.test(origin) && URL.canParse(origin)
        ? new URL(origin).hostname
        : origin;
    if (typeof name === "string" && hostName.test(name)) return name.toLowerCase();
    throw new TypeError(
      `${owner}: allowedOrigins takes sites, such as "app.example.com" or "https://app.example.com"; got ${JSON.stringify(origin)}.`,
    );
  });
}

function listOf(names: readonly string[], option: string, owner: string): readonly string[] {
  if (Array.isArray(names)) return names;
  throw new TypeError(`${owner}: ${option} must be a list of names, got ${JSON.stringify(names)}.`);
}
