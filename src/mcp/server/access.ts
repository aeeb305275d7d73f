import type { AuthInfo } from "@modelcontextprotocol/server";
import { expiryOf, readCaller } from "./caller.js";
import { hostNamesOf, originNamesOf } from "./host-names.js";
import type { Sdk } from "./load-server.js";
import type { McpAccess, McpCaller } from "./server-options.js";

/** The caller, if access is allowed (an anonymous one without `verify`), or the answer that rejects it. */
export type Gate = (request: Request) => Promise<AuthInfo | Response | undefined>;

/**
 * Checks a request before its body is read: the host name and the origin (against DNS rebinding and cross-site requests), then the token.
 * Throws `TypeError` for names that aren't any; `owner` begins it.
 */
export function createGate(sdk: Sdk, access: McpAccess, report: (error: unknown) => void, owner: string): Gate {
  const hosts = hostNamesOf(access.allowedHosts ?? sdk.localhostAllowedHostnames(), owner);
  const origins = originNamesOf(access.allowedOrigins ?? sdk.localhostAllowedOrigins(), owner);
  const authenticate = access.verify === undefined ? undefined : bearerGate(sdk, access.verify, access.resourceMetadataUrl, report, owner);
  return async (request) =>
    sdk.hostHeaderValidationResponse(request, hosts) ?? sdk.originValidationResponse(request, origins) ?? authenticate?.(request);
}

function bearerGate(
  sdk: Sdk,
  verify: NonNullable<McpAccess["verify"]>,
  resourceMetadataUrl: string | undefined,
  report: (error: unknown) => void,
  owner: string,
): (request: Request) => Promise<AuthInfo | Response> {
  const verifyAccessToken = async (token: string): Promise<AuthInfo> => {
    const caller = callerIn(await verified(verify, token, report), report, owner);
    if (caller === undefined) throw new sdk.OAuthError(sdk.OAuthErrorCode.InvalidToken, "The token is not valid here");
    const { userId = "", scopes = [] } = caller;
    // The SDK refuses what has no expiry, and checks it in this moment: a token that doesn't say is good for this request.
    return { token, clientId: userId, scopes: [...scopes], expiresAt: expiryOf(caller) ?? Date.now() / 1_000 + 60, extra: { caller } };
  };
  return sdk.requireBearerAuth({ verifier: { verifyAccessToken }, ...(resourceMetadataUrl !== undefined && { resourceMetadataUrl }) });
}

async function verified(verify: NonNullable<McpAccess["verify"]>, token: string, report: (error: unknown) => void): Promise<unknown> {
  try {
    return await verify(token);
  } catch (error) {
    report(error);
    // The client is answered as by any server that fails.
    throw error;
  }
}

/** `undefined` for what is no caller: the application learns why, the client only that its token isn't valid. */
function callerIn(answer: unknown, report: (error: unknown) => void, owner: string): McpCaller | undefined {
  try {
    return readCaller(answer, owner);
  } catch (error) {
    report(error);
    return undefined;
  }
}

/** What `verify` gave, as it went through the SDK. */
export const callerOf = (authInfo: AuthInfo | undefined): McpCaller | undefined => authInfo?.extra?.caller as McpCaller | undefined;
