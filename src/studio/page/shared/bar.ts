/** A bar of the timeline. */
export interface Bar {
  readonly key: string;
  readonly label: string;
  readonly kind: "model" | "call" | "wait";
  readonly start: number;
  /** `undefined`: it goes on. */
  readonly end: number | undefined;
  readonly failed?: boolean;
}
