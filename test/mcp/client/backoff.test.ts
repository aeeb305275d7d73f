import { Backoff } from "../../../src/mcp/client/backoff.js";

describe("a server that fails", () => {
  it("is tried again at once the first time, then after a second, and twice as long each further time, up to a minute", () => {
    const backoff = new Backoff(() => 0);
    const delays = Array.from({ length: 10 }, () => {
      backoff.failed();
      return backoff.remaining;
    });
    expect(delays).toEqual([0, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 60_000]);
    expect(backoff.failures).toBe(10);
  });

  it("is tried again at once after a call that worked", () => {
    const backoff = new Backoff(() => 0);
    for (let failures = 0; failures < 5; failures += 1) backoff.failed();
    backoff.succeeded();
    expect(backoff.remaining).toBe(0);
    backoff.failed();
    expect(backoff.remaining).toBe(0);
  });

  it("is waited for no longer than its time", () => {
    let now = 0;
    const backoff = new Backoff(() => now);
    backoff.failed();
    backoff.failed();
    now = 999;
    expect(backoff.remaining).toBe(1);
    now = 5_000;
    expect(backoff.remaining).toBe(0);
  });
});
