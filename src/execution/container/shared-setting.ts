/** A value that the application sets for the whole process and may replace between two requests: its container, its registry. */
export class SharedSetting<Value> {
  value: Value | undefined = undefined;

  constructor() {
    settings.push(this);
  }
}

const settings: SharedSetting<unknown>[] = [];

/** Runs work with the settings that were kept, up to its first `await`. */
export type WithSettings = <Result>(work: () => Result) => Result;

/**
 * Keeps the settings of this moment. A run begins with asynchronous functions of the application, and meanwhile other requests may
 * set values of their own. A value that the work itself sets stays set, and is kept from then on.
 */
export function keepSettings(): WithSettings {
  const kept = currentValues();
  return (work) => {
    const others = currentValues();
    // Loops, because each run comes through here several times.
    for (const [index, setting] of settings.entries()) setting.value = kept[index];
    try {
      return work();
    } finally {
      for (const [index, setting] of settings.entries()) {
        if (setting.value === kept[index]) setting.value = others[index];
        else kept[index] = setting.value;
      }
    }
  };
}

const currentValues = (): unknown[] => settings.map(({ value }) => value);
