import { isSecretName } from "./secret-name.js";
import { redacted } from "./secrets.js";

/** One way in which texts name a value. */
interface Form {
  /** Ends where the value begins. The groups: `name`, and `quote` if one stands before the name. */
  readonly name: RegExp;
  readonly isSecret: (name: string) => boolean;
  /** The value, from where the name ends. */
  readonly value: (quote: string, name: string) => RegExp;
  readonly shown: (value: string, name: string) => string;
}

/** Headers are named by words with hyphens, or by one that says it all. */
const isSecretHeader = (name: string): boolean => isSecretName(name) && /-|authorization|cookie/i.test(name);

const inQuotes = `"(?:[^"\\\\]|\\\\.)*"?|'(?:[^'\\\\]|\\\\.)*'?|\`(?:[^\`\\\\]|\\\\.)*\`?|\\\\{1,8}(["'])[\\s\\S]*?(?:\\\\{1,8}\\1|$)`;
const valueInQuotes = new RegExp(inQuotes, "y");
const memberValue = new RegExp(`${inQuotes}|\\[[^\\]]*\\]?|-?\\d[\\w.+-]*|[^\\s,;"'\`{}[\\]()<>]+`, "y");

/** In JSON inside of JSON, quotes keep their backslashes. */
const asMember = (value: string): string => {
  const quote = /^\\+["']/.exec(value)?.[0] ?? '"';
  return quote + redacted + quote;
};

/** `token=abc`: in a query, a form, a cookie, a list of variables. */
const assignment: Form = {
  name: /(?<![\w.-])(?<quote>)(?<name>[\w.-]+)=/g,
  isSecret: isSecretName,
  value: () => /"[^"]*"?|'[^']*'?|[^\s&#"';,]*/y,
  shown: (value) => (value === "" ? value : redacted),
};

const lineEnd = "(?=\\\\[rn]|[\\r\\n]|$)";
const lines: Readonly<Record<string, RegExp>> = {
  '"': new RegExp(`[^"\\r\\n]*?(?="|${lineEnd})`, "y"),
  "'": new RegExp(`[^'\\r\\n]*?(?='|${lineEnd})`, "y"),
  "`": new RegExp(`[^\`\\r\\n]*?(?=\`|${lineEnd})`, "y"),
  "": new RegExp(`[^\\r\\n]*?${lineEnd}`, "y"),
};

/** `Authorization: Token abc`: what follows such a credential is no part of it. */
const schemes = /^(?:bearer|basic|token|apikey|api-key|key|digest|negotiate|ntlm|dpop|hawk|aws4-hmac-sha256)[ \t]+/i;
const oneWord = /^(?:bearer|basic|token|apikey|api-key|key)$/i;

/** `X-Api-Key: abc`, `Cookie: a=b; c=d`: to the end of the line, which `util.inspect` writes as `\r\n`. */
const headerLine: Form = {
  name: /(?<![\w.-])(?<quote>["'`]?)(?<name>[\w-]{1,64})[ \t]{0,10}:[ \t]{0,10}(?!["'`[{\s])/g,
  isSecret: isSecretHeader,
  value: (quote) => lines[quote] as RegExp,
  shown(value, name) {
    const scheme = /authorization$/i.test(name) ? (schemes.exec(value)?.[0] ?? "") : "";
    const rest = oneWord.test(scheme.trim()) ? value.slice(scheme.length).replace(/^\S+/, "") : "";
    return scheme + redacted + rest;
  },
};

/** `'Cookie', 'a=b'`: Node's `rawHeaders`. */
const listedHeader: Form = {
  name: /(?<quote>["'])(?<name>[\w-]{1,64})\k<quote>,\s{1,20}(?=["'])/g,
  isSecret: isSecretHeader,
  value: () => valueInQuotes,
  shown: asMember,
};

/** `{ name: 'cookie', value: 'a=b' }`: the headers of `fetch`, and of HAR. */
const namedHeader: Form = {
  name: /(?<quote>)\bname["']?:\s{0,20}["'](?<name>[\w-]{1,64})["'],\s{0,20}["']?value["']?:\s{0,20}(?=["'])/g,
  isSecret: isSecretHeader,
  value: () => valueInQuotes,
  shown: asMember,
};

/** `"apiKey": "abc"` in JSON, in JSON inside of JSON, `apiKey: 'abc'` of `util.inspect`, `'apiKey' => 'abc'` of its maps. */
const memberNamed = /(?<![\w.-])(?<quote>\\{0,8}["'`]?)(?<name>[\w.-]{1,64})\k<quote>\s{0,10}(?::|=>)\s{0,10}/g;

/** Words without quotes are prose unless a digit stands in them: "invalid token: expected three parts". */
const member: Form = {
  name: memberNamed,
  isSecret: isSecretName,
  value: () => memberValue,
  shown: (value) => (value === redacted || /^[^\d"'`[\\]*$/.test(value) ? value : asMember(value)),
};

const looseMember: Form = { ...member, shown: asMember };

/** Takes out the values of secret names, in whatever form the text names them. */
export const redactNamed = (text: string): string =>
  [assignment, headerLine, listedHeader, namedHeader, member].reduce(withoutValues, text);

/** As `redactNamed`, for what should be JSON and isn't: every value behind a secret name counts. */
export const redactLooselyNamed = (text: string): string => [assignment, looseMember].reduce(withoutValues, text);

/** Goes through the text once: a value that was looked at is left behind, whether it was taken out or not. */
function withoutValues(text: string, { name: names, isSecret, value: valueOf, shown }: Form): string {
  let result = "";
  let done = 0;
  for (const { 0: start, index, groups } of text.matchAll(names)) {
    const { name = "", quote = "" } = groups ?? {};
    const from = index + start.length;
    if (from < done || !isSecret(name)) continue;
    const pattern = valueOf(quote, name);
    pattern.lastIndex = from;
    const value = pattern.exec(text)?.[0];
    if (value === undefined) continue;
    result += text.slice(done, from) + shown(value, name);
    done = from + value.length;
  }
  return done === 0 ? text : result + text.slice(done);
}
