/** Makes the services of isolated tools, once in each process. */
export class Renderer {
  render(month: string): string {
    // As a fault in native code would.
    if (month === "broken") process.kill(process.pid, "SIGSEGV");
    return `The report of ${month}.`;
  }
}

export const container = () => ({ get: (Type: new (renderer: Renderer) => unknown) => new Type(new Renderer()) });
