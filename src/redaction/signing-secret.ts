/** As long as the output of SHA-256: a shorter key is what a guesser would try first (RFC 2104, section 3). */
const fewestSecretBytes = 32;

/**
 * Throws `TypeError` if the secret isn't a string, and `RangeError` if it has less than 32 bytes. `owner` begins the message, which never
 * contains the secret. `bytesOf` counts the bytes of a secret that is written in another form.
 */
export function checkSigningSecret(secret: unknown, owner: string, bytesOf: (secret: string) => number = Buffer.byteLength): void {
  if (typeof secret !== "string" || secret === "") {
    const given = secret === "" ? "an empty one" : secret === null ? "null" : typeof secret;
    throw new TypeError(
      `${owner} must be a string that can't be guessed, of at least ${fewestSecretBytes} bytes; got ${given}. ${howToMake}`,
    );
  }
  const bytes = bytesOf(secret);
  if (bytes >= fewestSecretBytes) return;
  throw new RangeError(`${owner} must have at least ${fewestSecretBytes} bytes, got ${bytes}. ${howToMake}`);
}

const howToMake = "Make one: openssl rand -base64 32. All processes need the same one.";
