import { inspect } from "node:util";
import { addSecret } from "../redaction/index.js";
import { ToolDefinitionError } from "../tool/index.js";
import { HttpError } from "./http-error.js";

/**
 * A value that is sent in requests and can't be seen elsewhere: its text, JSON and inspection show a placeholder. Make it with
 * `secret`.
 *
 * The value is read when a request is made. See docs/08-http-tools.md.
 */
export class Secret {
  readonly #name: string;
  readonly #read: () => Promise<string>;
  readonly #isWritten: boolean;

  /** @internal `secret`, `bearer` and `basic` make them. */
  constructor(name: string, read: () => Promise<string>, isWritten = false) {
    this.#name = name;
    this.#read = read;
    this.#isWritten = isWritten;
  }

  /** @internal Whether it is written as a header already, by `bearer` or `basic`. */
  get isWritten(): boolean {
    return this.#isWritten;
  }

  /** Returns the value. Throws `HttpError` with the name of the variable if there is none. */
  read(): Promise<string> {
    return this.#read();
  }

  /** A placeholder, not the value. */
  toString(): string {
    return `[secret ${this.#name}]`;
  }

  /** A placeholder, not the value. */
  toJSON(): string {
    return this.toString();
  }

  [inspect.custom](): string {
    return this.toString();
  }

  /**
   * Returns a secret that is sent in another form: ``key.as((value) => `ApiKey ${value}`)``. The text that `form` adds isn't
   * redacted.
   */
  as(form: (value: string) => string): Secret {
    return new Secret(this.#name, async () => form(await this.#read()), true);
  }
}

/** If another string contains a secret's text, the author used a template instead of `bearer` or `basic`. */
export function holdsSecretText(text: string): boolean {
  const start = text.indexOf("[secret ");
  return start !== -1 && text.includes("]", start);
}

/**
 * Makes a secret from an environment variable, or from a function (a vault, a token that is renewed).
 *
 * - `secret("ORDERS_TOKEN")`
 * - `secret(() => vault.read("orders"))`
 *
 * The value is read when a request is made, and then registered with `addSecret`, so that models, logs and errors show
 * `[redacted]`.
 *
 * The call fails with an `HttpError` if the variable isn't set, is shorter than 8 characters or contains a line break. See
 * docs/08-http-tools.md.
 */
export function secret(source: string | (() => string | Promise<string>)): Secret {
  if (typeof source === "function") return keptSecret("of a function", source, "A secret's function gave a value that");
  // It may be the value itself: never part of a message.
  if (typeof source !== "string" || !/^[a-z_]\w{0,99}$/i.test(source)) {
    throw new ToolDefinitionError(
      'secret: takes the name of an environment variable, secret("ORDERS_TOKEN"), or a function that gives the value, secret(() => token).',
    );
  }
  return keptSecret(source, () => process.env[source], `The environment variable ${source}`);
}

/**
 * Makes an `authorization` header with a token (`Bearer ...`): `headers: { authorization: bearer(secret("ORDERS_TOKEN")) }`.
 *
 * See docs/08-http-tools.md.
 */
export const bearer = (token: Secret): Secret => token.as((value) => `Bearer ${value}`);

/**
 * Makes an `authorization` header with user name and password (`Basic ...`, RFC 7617): `basic("shop", secret("ORDERS_PASSWORD"))`.
 *
 * See docs/08-http-tools.md.
 */
export const basic = (user: string, password: Secret): Secret =>
  password.as((value) => `Basic ${Buffer.from(`${user}:${value}`).toString("base64")}`);

function keptSecret(name: string, find: () => string | undefined | Promise<string>, owner: string): Secret {
  let known: { readonly value: string; readonly forget: () => void } | undefined;
  return new Secret(name, async () => {
    const value = await find();
    const problem = problemOf(value);
    // Typed as a text from here on: anything else is a problem.
    if (problem !== undefined || value === undefined) {
      throw new HttpError(`${owner} ${problem}, so the request wasn't sent. Tell the user; the application must set it.`);
    }
    if (value !== known?.value) {
      known?.forget();
      known = { value, forget: addSecret(value) };
    }
    return value;
  });
}

/** Why a value can't be sent and hidden, without telling it. Servers echo what they got, and short texts are everywhere. */
function problemOf(value: unknown): string | undefined {
  if (typeof value !== "string" || value === "") return "is missing";
  if (value.length < 8) return "holds less than 8 characters, which can't be hidden in what is answered";
  // biome-ignore lint/suspicious/noControlCharactersInRegex: headers can't hold them
  return /[\u0000-\u001f\u007f]/.test(value) ? "holds a line break or another control character" : undefined;
}
