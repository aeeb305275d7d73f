import { checks } from "./checks.js";
import { outcomesOf } from "./readme.js";

export default {
  fetch: async () => new Response(await outcomesOf(checks)),
};
