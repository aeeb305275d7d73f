import type { ToolPolicy } from "../tool/internal.js";
import type { HttpMethod } from "./http-exchange.js";

/**
 * The policy of a method (RFC 9110, "Common Method Properties"), if the author declares none: GET and HEAD read; PUT and
 * DELETE may be repeated; for POST and PATCH it isn't known.
 */
export function policyOfMethod(method: HttpMethod): Pick<ToolPolicy, "category" | "effect"> {
  switch (method) {
    case "GET":
    case "HEAD":
      return { category: "read", effect: "none" };
    case "PUT":
      return { category: "write", effect: "idempotent" };
    case "DELETE":
      return { category: "delete", effect: "idempotent" };
    default:
      return { category: "write" };
  }
}
