/** The tools of bench/isolation.mjs. The classes of a JavaScript file are decorated by calls. */
import { description, isolated, required, Tool } from "toolwright";

class Doubling extends Tool {
  call() {
    return { doubled: this.value * 2 };
  }
}

function decorated(toolClass, place) {
  required(Number, "The number")(toolClass.prototype, "value");
  description("Doubles a number.")(toolClass);
  if (place !== undefined) isolated(place, { module: import.meta.url })(toolClass);
  return toolClass;
}

export const InWorker = decorated(class InWorker extends Doubling {}, "worker");
export const InProcess = decorated(class InProcess extends Doubling {}, "process");
export const InApplication = decorated(class InApplication extends Doubling {}, undefined);
