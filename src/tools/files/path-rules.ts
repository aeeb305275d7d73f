import { fileError } from "./file-error.js";

/** Linux's own limit, in bytes; there the count of characters is never larger. */
const longestPath = 4_096;

/** No tree of files is deeper, and each name of a path is a question to the disk. */
const mostNames = 100;

/** Refuses what is no path, or one that only a shell or a browser would understand, before any file is touched. */
export function checkPathText(path: string, platform: NodeJS.Platform = process.platform): void {
  const wrong =
    path.trim() === ""
      ? (["Empty path", 'Give the path of a file, such as notes.txt; "." is the top directory.'] as const)
      : path.length > longestPath
        ? (["Path too long", `A path has at most ${longestPath} characters.`] as const)
        : path.includes("\0")
          ? (["Path with a NUL character", "Leave it out."] as const)
          : path.startsWith("~")
            ? ([
                "Path that begins with ~",
                "There is no home directory here. Give a path below the top directory; a name with a ~ is ./~name.",
              ] as const)
            : /^[a-z][a-z0-9+.-]*:\/\//i.test(path)
              ? (["URL instead of a path", "Give the path of a file, such as notes.txt."] as const)
              : platform === "win32" && meansAnotherOnWindows(path)
                ? ([
                    "Path that Windows reads as another",
                    "Leave out colons, dots and blanks at the end of names, and device names.",
                  ] as const)
                : undefined;
  if (wrong !== undefined) throw fileError(wrong[0], path, wrong[1]);
}

/** Rejects a path with too many names before the disk is asked for any of them. `relativePath` is relative to the root, without dots. */
export function checkDepth(relativePath: string, path: string): void {
  const names = relativePath.split(/[\\/]/).length;
  if (names <= mostNames) return;
  throw fileError("Path too deep", path, `It has ${names} names, and at most ${mostNames} are allowed. Use a shorter path.`);
}

/**
 * Drive-relative paths (`C:a.txt`), streams (`a.txt:stream`), names whose end Windows drops (`a.txt. `), devices (`NUL.txt`)
 * and paths that bypass all rules (`\\?\...`).
 */
function meansAnotherOnWindows(path: string): boolean {
  if (/^[\\/]{2}[?.][\\/]/.test(path)) return true;
  const names = path.replace(/^[a-z]:(?=[\\/])/i, "").split(/[\\/]/);
  return names.some(
    (name) =>
      name.includes(":") ||
      (/[. ]$/.test(name) && name !== "." && name !== "..") ||
      /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(\.|$)/i.test(name.trimEnd()),
  );
}

/**
 * Names that no tool may write: a repository's inner files (git runs hooks in `.git/` as programs) and files of secrets and settings
 * (`.env`, `.env.local`). File systems accept other spellings of these names, and all are refused: `.GIT`, characters that HFS+ ignores,
 * and the forms of Windows, whose disks are also mounted on other systems: dots and blanks at the end (`.git.`), streams (`.git::$DATA`)
 * and short names (`GIT~1`).
 */
export const isProtected = (relativePath: string): boolean =>
  relativePath
    .replace(leftOut, "")
    .split(/[\\/]/)
    .some((name) => /^(?:\.git[. ]*(?::|$)|\.env|git~\d|env[^.]*~\d)/i.test(name));

/** What HFS+ leaves out of names. */
const leftOut = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;
