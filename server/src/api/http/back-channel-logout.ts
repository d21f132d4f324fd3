import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { AuthContext, Realm } from "../../domain/auth/context.ts";
import { countAttempts } from "../../domain/auth/sessions/throttle.ts";
import { logOutByProvider } from "../../domain/auth/single-sign-on/log-out-by-provider.ts";
import type { Oidc } from "../../domain/auth/single-sign-on/oidc.ts";
import { addressOf, type SiteSettings } from "../sites/actions/origin.ts";
import { logoutPath } from "../sites/outputs/sign-on-view.ts";

const BODY_BYTES = 32 * 1024;

export type LogoutContext = {
  readonly realms: Readonly<Record<Realm, AuthContext>>;
  readonly oidc: Oidc;
  readonly settings: SiteSettings;
};

type Named = { readonly Params: { readonly realm: string; readonly providerId: string } };

/** Receives logout tokens from identity providers. The token's signature authenticates the request. */
export function backChannelLogoutRoute(ctx: LogoutContext): (app: FastifyInstance) => Promise<void> {
  return async (app) => {
    app.removeAllContentTypeParsers();
    app.addContentTypeParser(
      "application/x-www-form-urlencoded",
      { parseAs: "string", bodyLimit: BODY_BYTES },
      async (_request: unknown, body: string | Buffer) => new URLSearchParams(String(body)),
    );
    app.post<Named>(logoutPath(":realm", ":providerId"), async (request, reply) => await logOut(ctx, request, reply));
  };
}

async function logOut(
  { realms, oidc, settings }: LogoutContext,
  request: FastifyRequest<Named>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  reply.headers({ "x-request-id": request.id, "cache-control": "no-store" });
  const refuse = (why: string) => reply.code(400).send({ error: "invalid_request", error_description: why });
  const { realm, providerId } = request.params;
  const token = request.body instanceof URLSearchParams ? request.body.get("logout_token") : null;
  if (!isRealm(realm) || token === null || !/^[A-Za-z0-9_-]{1,64}$/.test(providerId)) return refuse("There is no logout token.");
  const throttled = await countAttempts(realms[realm], [{ scope: "logout", key: addressOf(settings, request) ?? "unknown" }]);
  if (throttled) return reply.code(429).header("retry-after", String(throttled.retryAfterSeconds)).send({ error: "too_many_requests" });
  const result = await logOutByProvider({ ...realms[realm], oidc }, providerId, token);
  return result.kind === "done" ? reply.code(200).send() : refuse(result.why);
}

function isRealm(text: string): text is Realm {
  return text === "portal" || text === "console";
}
