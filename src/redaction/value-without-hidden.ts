import { mapTexts } from "./map-texts.js";
import { withoutHidden } from "./without-hidden.js";

/** A JSON value whose texts and names are as people see them. Changes the value, which must be the caller's own. */
export const valueWithoutHidden = <Value>(value: Value): Value => mapTexts(value, withoutHidden);
