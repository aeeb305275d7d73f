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
    const others = settings.map(({ value }) => value);
    settings.forEach((setting, index) => {
      setting.value = kept[index];
    });
    try {
      return work();
    } finally {
      settings.forEach((setting, index) => {
        if (setting.value === kept[index]) setting.value = others[index];
        else kept[index] = setting.value;
      });
    }
  };
}
