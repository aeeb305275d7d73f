import { randomBytes } from "node:crypto";
import type {
  CallToolResult,
  ClientCapabilities,
  InputRequiredResult,
  RequestStateCodec,
  ServerContext,
} from "@modelcontextprotocol/server";
import { type Confirmation, confirmationCard } from "../../confirmation/index.js";
import { type DecisionClaims, MemoryDecisionClaims } from "../../storage/index.js";
import {
  answerValue,
  confirmationOf,
  decidedAbout,
  declinedText,
  deniedText,
  isQuestion,
  shownInCard,
} from "../../confirmation/internal.js";
import { strictClaims } from "../../storage/internal.js";
import { canonicalJson, definitionHash, type PreparedCall } from "../../execution/index.js";
import { type AskedArguments, canonicalHash } from "../../execution/internal.js";
import { describeFaults } from "../../schema/index.js";
import { answerForm } from "./answer-form.js";
import { failedCall } from "./written-call-result.js";
import type { Sdk } from "./load-server.js";
import type { McpServerOptions } from "./server-options.js";

/** As long as the SDK waits for what a client of an older revision asks its user. */
const secondsToDecide = 600;

/** The name of the one question of a call. */
const question = "confirmation";

/** What a client keeps, signed, while its user decides. */
export interface AskedCall {
  /** What is decided about: see `fingerprintOf`. */
  readonly call: string;
  /** 64 hex digits: one use. */
  readonly id: string;
  /** ISO 8601. */
  readonly expiresAt: string;
  /** If reading the client's arguments again could make others of them: those that were shown, and the hash of those that it sent. */
  readonly kept?: { readonly asked: AskedArguments; readonly sent: string };
}

/**
 * Asks a client's user about calls that need approval, as the protocol's revision says: by an input request in the result (2026-07-28). The
 * SDK sends it as an elicitation to clients of 2025-06-18 and 2025-11-25. A decision holds for one user,
 * one definition and exactly the arguments that were shown, once, for ten minutes.
 */
export class Confirmations {
  readonly #sdk: Sdk;
  readonly #claims: DecisionClaims;
  readonly #makesContext: boolean;
  readonly codec: RequestStateCodec<AskedCall>;

  constructor(sdk: Sdk, { stateSecret, claims = new MemoryDecisionClaims(), toolContext }: McpServerOptions) {
    this.#sdk = sdk;
    this.#claims = strictClaims(claims);
    this.#makesContext = toolContext !== undefined;
    this.codec = sdk.createRequestStateCodec({ key: stateSecret ?? randomBytes(32), ttlSeconds: secondsToDecide });
  }

  /** The arguments that the user was shown, if the client brings the answer and the arguments that it sent before. */
  askedIn({ mcpReq }: ServerContext, sent: unknown): AskedArguments | undefined {
    const kept = mcpReq.requestState<AskedCall>()?.kept;
    return kept !== undefined && isSent(kept, sent) ? kept.asked : undefined;
  }

  /** `undefined` if the user approved: the call may run. Else what the client is answered: a question, or that it was not run. */
  async settle(
    call: PreparedCall,
    { user, sent }: { readonly user: string; readonly sent: unknown },
    { mcpReq, http }: ServerContext,
    capabilities: ClientCapabilities | undefined,
  ): Promise<InputRequiredResult | CallToolResult | undefined> {
    // An application that makes a context knows its caller. A decision without an owner could be used by anyone.
    if (user === "" && http !== undefined && this.#makesContext) return failedCall(anonymous(call.name));
    const asked = mcpReq.requestState<AskedCall>();
    if (asked === undefined) return canAsk(capabilities) ? this.#ask(call, user, sent) : this.#unaskable(call, mcpReq);
    if (asked.call !== fingerprintOf(call, user)) throw this.#invalidState();
    const answer = this.#sdk.inputResponse(mcpReq.inputResponses, question);
    if (answer.kind !== "elicit") return this.#ask(call, user, sent);
    if (!(await this.#claims.claim([asked.id], asked.expiresAt))) throw this.#invalidState();
    if (call.definition.answeredBy !== undefined) return takeAnswer(call, answer.action === "accept" ? answer.content : undefined);
    return answer.action === "accept" && answer.content?.approve === true ? undefined : failedCall(deniedText(undefined));
  }

  async #ask(call: PreparedCall, user: string, sent: unknown): Promise<InputRequiredResult | CallToolResult> {
    const { outputSchema, answeredBy } = call.definition;
    const form = answeredBy === undefined ? undefined : answerForm(outputSchema ?? {});
    if (answeredBy !== undefined && form === undefined) return failedCall(noForm(call.name));
    const expiresAt = new Date(Date.now() + secondsToDecide * 1_000).toISOString();
    const asked: AskedCall = { call: fingerprintOf(call, user), id: randomBytes(32).toString("hex"), expiresAt };
    const confirmation = confirmationOf(call, secondsToDecide * 1_000);
    const { inputRequired } = this.#sdk;
    return inputRequired({
      inputRequests: {
        [question]: inputRequired.elicit({
          message: messageOf(confirmation),
          requestedSchema: form === undefined ? requestedSchema : (form.schema as typeof requestedSchema),
        }),
      },
      requestState: await this.codec.mint({ ...asked, ...keptArguments(call, confirmation, sent) }),
    });
  }

  /**
   * An error of the protocol since 2026-07-28 ("Capability negotiation"), whose requests have an envelope; before, a result that a model
   * reads.
   */
  #unaskable({ name, definition }: PreparedCall, { envelope }: ServerContext["mcpReq"]): CallToolResult {
    const needed = definition.answeredBy === undefined ? "a person's confirmation" : "an answer of the client's user";
    const message = `Not run: '${name}' needs ${needed}, and this client can't ask for one (it declares no elicitation of forms).`;
    if (envelope === undefined) return failedCall(message);
    throw new this.#sdk.MissingRequiredClientCapabilityError({ requiredCapabilities: { elicitation: { form: {} } } }, message);
  }

  /** In the words of the SDK for a state whose signature is wrong or too old: it makes no difference to the client. */
  #invalidState(): Error {
    return new this.#sdk.ProtocolError(this.#sdk.ProtocolErrorCode.InvalidParams, "Invalid or expired requestState", {
      reason: "invalid_request_state",
    });
  }
}

/** Gives the call the answer of the client's user; a result that the model reads if there is none that fits. */
function takeAnswer(call: PreparedCall, content: Readonly<Record<string, unknown>> | undefined): CallToolResult | undefined {
  const form = answerForm(call.definition.outputSchema ?? {});
  if (content === undefined || form === undefined) return failedCall(declinedText());
  const value = answerValue(call.id, form.valueOf(content) ?? null);
  const read = call.bound.plan.readOutput?.(value);
  if (read?.ok === false)
    return failedCall(
      `Not answered: the user's answer doesn't fit: ${describeFaults(read.error, "the answer")}. Call again to ask once more.`,
    );
  call.answer = { value };
  return undefined;
}

const noForm = (tool: string): string =>
  `Not run: '${tool}' is answered by the client's user, and its answer has parts that no form of an elicitation can have: only texts, numbers and booleans in one object.`;

const requestedSchema = {
  type: "object" as const,
  properties: { approve: { type: "boolean" as const, title: "Run this call", description: "Only if you want exactly this to happen." } },
  required: ["approve"],
};

const anonymous = (tool: string): string =>
  `Not run: '${tool}' needs a person's confirmation, and this server doesn't say whose. Its toolContext must give userId, a text: decisions are bound to it.`;

const fingerprintOf = (call: PreparedCall, user: string): string => canonicalHash([user, ...decidedAbout(call)]);

/**
 * The client keeps the arguments that it didn't send itself: defaults, and what a transform made. Hidden ones aren't given to it:
 * they are made again, and must come out as they were.
 */
function keptArguments({ definition, settled }: PreparedCall, { hidden = [] }: Confirmation, sent: unknown): Pick<AskedCall, "kept"> {
  const isSent = settled.used === undefined && canonicalJson(settled.input) === canonicalJson(sent);
  if (isSent || hidden.length > 0) return {};
  return { kept: { asked: { definition: definitionHash(definition), ...settled }, sent: canonicalHash(sent) } };
}

/** Whether the client sent these arguments when the user was asked. Those that are too large for a call can't be written as one text either. */
function isSent(kept: { readonly sent: string }, sent: unknown): boolean {
  try {
    return kept.sent === canonicalHash(sent);
  } catch {
    return false;
  }
}

/** A client that says `elicitation: {}`, as before there were modes, means forms. */
const canAsk = (capabilities: ClientCapabilities | undefined): boolean => {
  const elicitation = capabilities?.elicitation;
  return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
};

/** All that a person must see to decide, with nothing in it that can't be seen; secrets redacted. */
function messageOf(confirmation: Confirmation): string {
  const indented = (text: string): string => text.replaceAll("\n", "\n  | ");
  if (isQuestion(confirmation)) {
    const { description, arguments: asked } = shownInCard(confirmation);
    return [`${confirmation.tool} asks you:`, ...asked.map(({ name, text }) => `${name}: ${text}`), description].map(indented).join("\n");
  }
  const { title, description, lines, arguments: shown } = confirmationCard(confirmation);
  const stake = lines.filter(({ name }) => name !== "agent");
  return [title, description, ...[...stake, ...shown].map(({ name, text }) => `${name}: ${text}`)].map(indented).join("\n");
}
