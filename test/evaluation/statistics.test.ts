import fc from "fast-check";
import { meanDifference, quantile, shareOf, signTest } from "../../src/evaluation/statistics.js";

describe("shareOf", () => {
  it("gives Wilson's interval of 95 %", () => {
    const { share, low, high } = shareOf(8, 10);
    expect([share, low.toFixed(4), high.toFixed(4)]).toEqual([0.8, "0.4902", "0.9433"]);
  });

  it("keeps the interval of all and of none inside 0 and 1", () => {
    expect(shareOf(0, 10)).toMatchObject({ share: 0, low: 0 });
    expect(shareOf(10, 10).high).toBeCloseTo(1, 10);
  });

  it("isn't narrowed by repetitions of a case", () => {
    const once = shareOf(8, 10);
    const fiveTimes = shareOf(40, 50, 10);
    expect([fiveTimes.low, fiveTimes.high]).toEqual([once.low, once.high]);
  });

  it("of nothing is no number, anywhere from 0 to 1", () => {
    expect(shareOf(0, 0)).toEqual({ share: Number.NaN, low: 0, high: 1, of: 0 });
  });

  it("always contains the share", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1000 }), fc.double({ min: 0, max: 1, noNaN: true }), (of, part) => {
        const { share, low, high } = shareOf(Math.floor(part * of), of);
        expect(low).toBeLessThanOrEqual(share + 1e-12);
        expect(high).toBeGreaterThanOrEqual(share - 1e-12);
      }),
    );
  });
});

describe("signTest", () => {
  it.each([
    [5, 0, 0.0625],
    [6, 0, 0.03125],
    [0, 6, 0.03125],
    [8, 2, 0.109375],
    [3, 3, 1],
    [0, 0, 1],
  ])("of %d better and %d worse gives %d", (better, worse, probability) => {
    expect(signTest(better, worse)).toBeCloseTo(probability, 10);
  });

  it("counts thousands of pairs", () => {
    expect(signTest(2000, 2000)).toBe(1);
    expect(signTest(1900, 2100)).toBeCloseTo(0.00166, 4);
  });
});

it("meanDifference gives the mean with its interval", () => {
  const { difference, low, high } = meanDifference([1, 0, 0, 1]);
  expect(difference).toBe(0.5);
  expect([low.toFixed(3), high.toFixed(3)]).toEqual(["-0.066", "1.066"]);
});

it("quantile takes a value that is there", () => {
  expect([quantile([3, 1, 2], 0.5), quantile([3, 1, 2], 0.95), quantile([], 0.5)]).toEqual([2, 3, 0]);
});
