import { createHash, timingSafeEqual } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import { modeOf, refuseMode } from "./account-mode.ts";
import type { Caller } from "./caller.ts";
import type { OperatorApiDependencies } from "./dependencies.ts";
import { refuse } from "./errors.ts";
import { findOperatorKey } from "./keys/key-store.ts";

const BEARER = /^bearer (opk_[A-Za-z0-9_-]{32,128})$/i;

/** Authenticates a request. Runs before anything else is read, also for unknown paths. */
export type Authenticate = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply | undefined>;

/** Authenticates programs by their operator key, which allows every route. */
export function authenticateKey(deps: Pick<OperatorApiDependencies, "sql" | "environmentKey">): Authenticate {
  const environmentDigest = deps.environmentKey === null ? null : keyDigest(deps.environmentKey);
  return async (request, reply) => {
    const caller = await callerOf(deps, environmentDigest, request);
    if (caller === null) return refuse(reply, "unauthorized", "Send a valid operator key as Authorization: Bearer opk_….");
    const isStillAuthorized = async () => (await callerOf(deps, environmentDigest, request)) !== null;
    const mode = modeOf(request);
    if (mode === undefined) return refuseMode(reply);
    request.setDecorator("caller", { ...caller, mode, isStillAuthorized });
    return undefined;
  };
}

/** A plain digest is enough, because a key is long and random. */
export function keyDigest(key: string): Buffer {
  return createHash("sha256").update(key).digest();
}

async function callerOf(
  deps: Pick<OperatorApiDependencies, "sql">,
  environmentDigest: Buffer | null,
  request: FastifyRequest,
): Promise<KeyCaller | null> {
  const [header, ...others] = request.raw.headersDistinct["authorization"] ?? [];
  const key = others.length === 0 ? BEARER.exec(header ?? "")?.[1] : undefined;
  if (key === undefined) return null;
  const digest = keyDigest(key);
  if (environmentDigest && timingSafeEqual(digest, environmentDigest)) return keyCaller("operator-key", null);
  const row = await findOperatorKey(deps.sql, digest);
  if (!row || !timingSafeEqual(digest, row.digest)) return null;
  return keyCaller(`key:${row.key_id}`, row.created_by);
}

type KeyCaller = Omit<Caller, "isStillAuthorized" | "mode">;

function keyCaller(actor: string, madeBy: string | null): KeyCaller {
  return { kind: "key", staff: null, actor, person: madeBy ?? actor, mayReadReplica: false };
}
