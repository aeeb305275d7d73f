/**
 * Characters that people don't see and models read: controls, characters of format and direction, tags, variation selectors,
 * blanks without width, lone surrogates, noncharacters. Visible characters of class Cf, such as the Arabic number sign, don't count.
 * https://www.unicode.org/reports/tr44/#Default_Ignorable_Code_Point
 * Tags come first: with an alternative before the look-ahead, V8 goes through long runs in a seventh of the time.
 */
const hidden =
  /(?:[\u{e0000}-\u{e0fff}]|(?![\t\n\r\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}\u{13430}-\u{1343f}])[\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800\ufdd0-\ufdef\ufffe\uffff])+/gu;

/** What ends a line elsewhere. */
const lineEnd = /\r(?!\n)|[\v\f\u0085\u2028\u2029]/g;

/** Most texts hold nothing else. */
const plain = /^[\n\t\x20-\x7e]*$/;

/** The scripts whose letters join, or stack, by ZERO WIDTH JOINER and NON-JOINER (RFC 5892, appendix A). */
const joiningScripts =
  "Adlam Arabic Balinese Bengali Devanagari Gujarati Gurmukhi Javanese Kannada Khmer Malayalam Mandaic Meetei_Mayek Mongolian Myanmar Nko Oriya Phags_Pa Sinhala Sundanese Syriac Tamil Telugu Tibetan"
    .split(" ")
    .map((script) => `\\p{Script=${script}}`)
    .join("");
// With the flag u, V8 of Node 26 finds no character beyond U+FFFF by a class in brackets that a pattern ends with.
const endsJoining = new RegExp(`(?=[\\p{L}\\p{M}])[${joiningScripts}\\u064b-\\u0655]$`, "v");
const beginsJoining = new RegExp(`^(?=[\\p{L}\\p{M}])[${joiningScripts}\\u064b-\\u0655]`, "u");

/** The flags of England, Scotland and Wales, behind a black flag (https://www.unicode.org/reports/tr51/#valid-emoji-tag-sequences). */
const flags: ReadonlySet<string> = new Set(["gbeng", "gbsct", "gbwls"].map((region) => `${tagsOf(region)}\u{e007f}`));

function tagsOf(letters: string): string {
  return [...letters].map((letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join("");
}

/** Longer ones say nothing to people. */
const longestMeaningful = 16;

/**
 * The text as people see it: without hidden characters, and with the ends of lines that are usual. Joiners and selectors stay if
 * they shape what is seen: in emoji, and single ones between letters of scripts that join. Takes time in proportion to the text.
 */
export function withoutHidden(text: string): string {
  if (plain.test(text)) return text;
  return text.replace(lineEnd, "\n").replace(hidden, (run: string, offset: number, whole: string) => {
    const before = whole.slice(Math.max(0, offset - 2), offset);
    const after = whole.slice(offset + run.length, offset + run.length + 2);
    if (/^\u2800+$/.test(run)) return /[\u2801-\u28ff]$/.test(before) || /^[\u2801-\u28ff]/.test(after) ? run : "";
    return run.length <= longestMeaningful && isMeaningful(run, before, after) ? run : "";
  });
}

/** Whether all of a run of hidden characters shapes what is seen around it. */
function isMeaningful(run: string, before: string, after: string): boolean {
  switch (run) {
    case "\ufe0e":
    case "\ufe0f":
      return /\p{Extended_Pictographic}$/u.test(before) || (/[\d#*]$/.test(before) && after.startsWith("\u20e3"));
    case "\ufe0f\u200d":
      return /\p{Extended_Pictographic}$/u.test(before) && /^\p{Extended_Pictographic}/u.test(after);
    case "\u200d":
      if (/(?:\p{Extended_Pictographic}|\p{Emoji_Modifier})$/u.test(before) && /^\p{Extended_Pictographic}/u.test(after)) return true;
      // Persian writes it at the end of abbreviations.
      return endsJoining.test(before);
    case "\u200c":
      return endsJoining.test(before) && beginsJoining.test(after);
    case "\u180b":
    case "\u180c":
    case "\u180d":
    case "\u180e":
    case "\u180f":
      return /\p{Script=Mongolian}$/u.test(before);
    default:
      return before === "\u{1f3f4}" && flags.has(run);
  }
}

export const hidesCharacters = (text: string): boolean => withoutHidden(text) !== text;
