import { redact } from "../../../src/redaction/index.js";
import { KnownSecrets } from "../../../src/mcp/client/known-secrets.js";

let secrets: KnownSecrets | undefined;
const hold = (...lasting: [string, string][]): KnownSecrets => {
  secrets = new KnownSecrets(lasting);
  return secrets;
};
afterEach(() => secrets?.forget());

const isHidden = (value: string): boolean => JSON.stringify(redact({ note: value })) === '{"note":"[redacted]"}';

describe("the secrets of a connection", () => {
  it("are those under secret names", () => {
    hold(["GITHUB_TOKEN", "lasting-token"], ["region", "eu-central-1"]);
    expect(isHidden("lasting-token")).toBe(true);
    expect(isHidden("eu-central-1")).toBe(false);
  });

  it("are of a header that changes its value and the one before, however often it changes", () => {
    const known = hold();
    const tokens = Array.from({ length: 50 }, (_, index) => `changing-token-${index + 10}`);
    for (const token of tokens) known.holdHeaders([["authorization", `Bearer ${token}`]]);
    expect(tokens.filter(isHidden)).toEqual(["changing-token-58", "changing-token-59"]);
  });

  it("stay known if two of them take turns, and if one is lasting", () => {
    const known = hold(["API_KEY", "token-one"]);
    for (const token of ["token-one", "token-two", "token-one", "token-two", "token-three"]) known.holdHeaders([["x-api-key", token]]);
    expect(["token-one", "token-two", "token-three"].filter(isHidden)).toEqual(["token-one", "token-two", "token-three"]);
    known.holdHeaders([["x-api-key", "token-four"]]);
    expect(isHidden("token-two")).toBe(false);
    expect(isHidden("token-one")).toBe(true);
  });

  it("are forgotten with the connection", () => {
    hold(["API_KEY", "token-one"]).holdHeaders([["x-api-key", "token-two"]]);
    secrets?.forget();
    expect(["token-one", "token-two"].filter(isHidden)).toEqual([]);
  });
});
