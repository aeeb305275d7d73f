/** A value that the application names for the whole process, and may exchange between two requests: its container, its registry. */
export class SharedSetting<Value> {
  value: Value | undefined = undefined;

  constructor() {
    settings.push(this);
  }
}

const settings: SharedSetting<unknown>[] = [];

/** Does work with the settings that were kept, up to its first `await`. */
export type WithSettings = <Result>(work: () => Result) => Result;

/**
 * Keeps the settings of this moment: a run begins with functions of the application that wait, and meanwhile other
 * requests name settings of their own. A setting that the work names is kept from then on, and stays named.
 */
export function keepSettings(): WithSettings {
  const kept = settings.map(({ value }) => value);
  return (work) => {
    const others = kept.map((value, index) => exchange(index, value));
    try {
      return work();
    } finally {
      for (const [index, other] of others.entries()) {
        const value = settings[index]?.value;
        if (value === kept[index]) exchange(index, other);
        else kept[index] = value;
      }
    }
  };
}

/** Gives the value that was there before. */
function exchange(index: number, value: unknown): unknown {
  // Settings are never removed from the list.
  const setting = settings[index] as SharedSetting<unknown>;
  const before = setting.value;
  setting.value = value;
  return before;
}
