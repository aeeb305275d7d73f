// What other rooms build on, and no application needs.
export type { GivenUpRun } from "./conversation-store.js";
export { checkClaims, strictClaims, processClaims } from "./decision-claims.js";
export { checkStored } from "./conversation-store.js";
export { HeldLease, leaseDurationOf, seizeLease } from "./held-lease.js";
export { leaseKeyOf } from "./journal-store.js";
export { Turns } from "./file/turns.js";
export { PostgresNews } from "./postgres/postgres-news.js";
export { originalText, storableText } from "./database/keys.js";
