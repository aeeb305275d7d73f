/** The studio can't start. `reason`: `port_taken`, or `production` if `NODE_ENV` is `production`. See docs/31-studio.md. */
export class StudioError extends Error {
  override readonly name = "StudioError";
  readonly reason: "port_taken" | "production";

  constructor(reason: StudioError["reason"], message: string) {
    super(message);
    this.reason = reason;
  }
}
