/**
 * What went wrong with a file, in words for a model: the path as the model gave it, and what to do. No path of the host is
 * in the message; `cause` is what the system said.
 */
export class FileError extends Error {
  override readonly name = "FileError";
}

/** `what: path. advice`. A path can be as long as a model likes, a message can't. */
export function fileError(what: string, path: string, advice: string, cause?: unknown): FileError {
  const shown = path.length > 200 ? `${path.slice(0, 200)}...` : path;
  return new FileError(`${what}: ${shown}. ${advice}`, cause === undefined ? undefined : { cause });
}

const denied = ["Permission denied", "Use another path, or ask the user to change its permissions."];
const noRoom = ["No space left", "Nothing was written. Ask the user to free some space."];
const notRegular = ["Not a regular file", "It is a pipe, a socket or a device. Use a file that holds text."];
const busy = ["Too many open files", "Try again later."];

/** What the system's errors mean, and what to do about them. */
const explanations: Readonly<Record<string, readonly string[]>> = {
  ENOENT: ["File not found", "Look with list_directory for what is there."],
  ENOTDIR: ["Not a directory", "It, or a part of the path, is a file. Look with list_directory for what is there."],
  EISDIR: ["Is a directory, not a file", "Look with list_directory for the files in it."],
  ELOOP: ["Link that leads nowhere", "Use the path of a file itself."],
  EACCES: denied,
  EPERM: denied,
  EROFS: ["Read-only file system", "Nothing can be written here. Use another path."],
  ENOSPC: noRoom,
  EDQUOT: noRoom,
  EFBIG: ["File too large", "The system takes no file of that size. Write less."],
  ENAMETOOLONG: ["Name too long", "Use a shorter name."],
  EBUSY: ["File in use", "Another program uses it. Try again later."],
  EMFILE: busy,
  ENFILE: busy,
  ENXIO: notRegular,
  ENODEV: notRegular,
};

/** The error for a model if the system rejected an operation, by its code; any other error unchanged. */
export function explained(error: unknown, path: string): unknown {
  const code = systemCode(error);
  return code === undefined ? error : explain(code, path, error);
}

export function explain(code: string, path: string, cause?: unknown): FileError {
  const [what = `File system error ${code}`, advice = "Use another path, or tell the user."] = explanations[code] ?? [];
  return fileError(what, path, advice, cause);
}

/** `"ENOENT"` for errors of the system. */
export function systemCode(error: unknown): string | undefined {
  const code = (error as { readonly code?: unknown } | null | undefined)?.code;
  return typeof code === "string" && /^E[A-Z0-9]+$/.test(code) ? code : undefined;
}

export const outsideError = (path: string): FileError =>
  fileError("Outside the directory that tools may use", path, "Give a path below it, such as notes.txt or sub/notes.txt.");
