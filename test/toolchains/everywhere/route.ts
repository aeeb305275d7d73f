import { checks } from "./checks.js";
import { outcomesOf } from "./readme.js";

export const dynamic = "force-dynamic";

export const GET = async () => new Response(await outcomesOf(checks));
