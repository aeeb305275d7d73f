/** An error of the protocol, for a request whose own id isn't known here. */
export const refusal = (status: number, code: number, message: string, headers: Readonly<Record<string, string>> = {}): Response =>
  Response.json({ jsonrpc: "2.0", error: { code, message }, id: null }, { status, headers });
