/** What somebody meets: an error, a failed result, the end of a run, a process warning. */
export interface Met {
  readonly name: string;
  readonly message: string;
  /** Of errors that say by a word what is wrong. */
  readonly reason?: string;
}

/** Makes it happen. */
export type Example = () => Met | Promise<Met>;

/** The examples of each name, in the order of its rows in docs/errors.md. A name that lacks its examples doesn't compile. */
export type Examples<Name extends string> = Readonly<Record<Name, readonly [Example, ...Example[]]>>;

/** The error classes that an entry of the package exports; those with a `reason` once for each: `RunStateError: edited`. */
export type ErrorsOf<Entry> = {
  [Name in keyof Entry & string]: Entry[Name] extends abstract new (
    ...values: never[]
  ) => infer Instance
    ? Instance extends Error
      ? Instance extends { readonly reason: infer Reason extends string }
        ? `${Name}: ${Reason}`
        : Name
      : never
    : never;
}[keyof Entry & string];

/** The members of a union that is open for words of the application's own. */
export type Known<Word extends string> = Word extends unknown ? (string extends Word ? never : Word) : never;

/** The error that the work ends with. */
export async function errorOf(work: () => unknown): Promise<Error> {
  try {
    await work();
  } catch (error) {
    if (error instanceof Error) return error;
    throw error;
  }
  throw new Error("Nothing was thrown.");
}

/** The process warning that the work brings about, the first of several. Nobody else hears it. */
export async function warningOf(work: () => unknown): Promise<Met> {
  const emit = jest.spyOn(process, "emitWarning").mockImplementation();
  try {
    await work();
    const [message, name] = emit.mock.calls[0] ?? [];
    if (typeof message !== "string" || typeof name !== "string") throw new Error("Nobody was warned.");
    return { name, message };
  } finally {
    emit.mockRestore();
  }
}

/** Without the stack behind it. */
export const firstLine = ({ name, message }: Met): Met => ({ name, message: message.split("\n")[0] ?? "" });
