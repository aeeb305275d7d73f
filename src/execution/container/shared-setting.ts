const settings: SharedSetting<unknown>[] = [];

/** A value that the application sets for the whole process and may replace between two requests: its container, its registry. */
export class SharedSetting<Value> {
  value: Value | undefined = undefined;
  /** Its place among the kept values. */
  readonly place = settings.length;

  constructor() {
    settings.push(this);
  }
}

/** Runs work with the settings that were kept, up to its first `await`. */
export type WithSettings = <Result>(work: () => Result) => Result;

/**
 * Keeps the settings of this moment. A run begins with asynchronous functions of the application, and meanwhile other requests may
 * set values of their own. A value that the work itself sets stays set, and is kept from then on.
 */
export function keepSettings(): WithSettings {
  const kept = currentValues();
  return (work) => {
    // Most of the time nothing was replaced, and each run comes through here several times.
    const others = settings.every(({ value, place }) => value === kept[place]) ? kept : currentValues();
    for (const setting of settings) setting.value = kept[setting.place];
    try {
      return work();
    } finally {
      for (const setting of settings) {
        if (setting.value === kept[setting.place]) setting.value = others[setting.place];
        else kept[setting.place] = setting.value;
      }
    }
  };
}

const currentValues = (): unknown[] => settings.map(({ value }) => value);
