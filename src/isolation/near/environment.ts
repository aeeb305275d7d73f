/** What Node, the system's libraries and child processes need. Nothing here is a secret of the application. */
const kept: readonly string[] = [
  ...["PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LANGUAGE", "TZ", "TMPDIR", "TMP", "TEMP"],
  ...["NODE_ENV", "NODE_OPTIONS", "NODE_PATH", "NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE", "SSL_CERT_DIR"],
  // Where loaders of TypeScript find their configuration.
  ...["TSX_TSCONFIG_PATH", "SWC_NODE_PROJECT", "TS_NODE_PROJECT"],
  // Windows.
  ...["SystemRoot", "SystemDrive", "windir", "ComSpec", "PATHEXT", "APPDATA", "LOCALAPPDATA", "USERPROFILE", "ProgramData", "ProgramFiles"],
];

/** The environment of a process: the application's own variables stay out, except those that are named. */
export function cleanedEnvironment(named: readonly string[]): Record<string, string> {
  const cleaned: Record<string, string> = {};
  for (const [name, value] of Object.entries(process.env)) {
    if (value !== undefined && (kept.includes(name) || name.startsWith("LC_") || named.includes(name))) cleaned[name] = value;
  }
  return cleaned;
}
