import type { Check } from "../finding.js";

/** Milliseconds. Below it hardly any tool ends in time, and two or three minutes written in seconds lie below it too. */
const shortest = 200;

/** Other libraries count timeouts in seconds: written so, every call of the tool times out at once. */
export const hasTimeoutInMilliseconds: Check = ({ timeout }) => {
  if (timeout >= shortest) return [];
  const inSeconds = (timeout * 1_000).toLocaleString("en-US").replaceAll(",", "_");
  return [
    {
      message: `The timeout is ${timeout} ms, which reads like seconds: nearly every call would time out.`,
      fix: `If ${timeout} seconds are meant, write @timeout(${inSeconds}), or timeout: ${inSeconds}. Otherwise raise it to at least ${shortest} ms.`,
    },
  ];
};
