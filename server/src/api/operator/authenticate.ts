import { createHash, timingSafeEqual } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { StaffRole } from "../../domain/auth/user.ts";
import { addressOf } from "../sites/actions/origin.ts";
import { EVERYBODY } from "./access.ts";
import { modeOf, refuseMode } from "./account-mode.ts";
import { type Caller, isOneOf } from "./caller.ts";
import type { OperatorApiDependencies } from "./dependencies.ts";
import { refuse } from "./errors.ts";
import { effectiveRoles, hasLimits, type KeyRefusal, limitRefusal } from "./keys/key-limits.ts";
import { type FoundKey, findOperatorKey } from "./keys/key-store.ts";
import { keyUseRecorder } from "./keys/key-use.ts";

const BEARER = /^bearer (opk_[A-Za-z0-9_-]{32,128})$/i;

/** Authenticates a request. Runs before anything else is read, also for unknown paths. */
export type Authenticate = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply | undefined>;

type KeyDependencies = Pick<OperatorApiDependencies, "sql" | "clock" | "log" | "environmentKey" | "trustedProxies">;

/**
 * Authenticates programs by their operator key. A key with a role may make the calls of that role, any other every call. A
 * key that staff created may never do more than its creator may do now.
 */
export function authenticateKey(deps: KeyDependencies): Authenticate {
  const environmentDigest = deps.environmentKey === null ? null : keyDigest(deps.environmentKey);
  const recordUse = keyUseRecorder(deps);
  return async (request, reply) => {
    const { caller, key, address, refusal } = await callerOf(deps, environmentDigest, request);
    if (caller === null) return refuse(reply, refusal.error, refusal.message);
    const { roles } = request.routeOptions.config.access ?? { roles: EVERYBODY };
    if (!isOneOf(caller, roles)) return refuse(reply, "forbidden", wrongRole(caller, roles));
    if (key !== null) recordUse(key, address);
    const isStillAuthorized = async () => {
      const now = await callerOf(deps, environmentDigest, request);
      return now.caller !== null && isOneOf(now.caller, roles);
    };
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

async function callerOf(deps: KeyDependencies, environmentDigest: Buffer | null, request: FastifyRequest): Promise<KeyCheck> {
  const [header, ...others] = request.raw.headersDistinct["authorization"] ?? [];
  const key = others.length === 0 ? BEARER.exec(header ?? "")?.[1] : undefined;
  if (key === undefined) return refused(UNKNOWN);
  const digest = keyDigest(key);
  if (environmentDigest && timingSafeEqual(digest, environmentDigest)) return accepted(ENVIRONMENT_CALLER, null, null);
  const row = await findOperatorKey(deps.sql, digest);
  if (!row || !timingSafeEqual(digest, row.digest)) return refused(UNKNOWN);
  const address = addressOf({ publicUrl: null, trustedProxies: deps.trustedProxies }, request);
  const refusal = limitRefusal(row, deps.clock.now(), address);
  if (refusal !== null) return refused(refusal);
  return accepted(keyCaller(row), row, address);
}

const UNKNOWN: KeyRefusal = { error: "unauthorized", message: "Send a valid operator key as Authorization: Bearer opk_…." };

type KeyCaller = Omit<Caller, "isStillAuthorized" | "mode">;

/** The key of the environment belongs to nobody and may make every call. */
const ENVIRONMENT_CALLER: KeyCaller = {
  kind: "key",
  staff: null,
  roles: [],
  keyLimits: null,
  actor: "operator-key",
  person: "operator-key",
  mayReadReplica: false,
};

/** `key` is null for the key of the environment, which has no row. */
type KeyCheck =
  | { readonly caller: KeyCaller; readonly key: FoundKey | null; readonly address: string | null; readonly refusal: null }
  | { readonly caller: null; readonly key: null; readonly address: null; readonly refusal: KeyRefusal };

function accepted(caller: KeyCaller, key: FoundKey | null, address: string | null): KeyCheck {
  return { caller, key, address, refusal: null };
}

function refused(refusal: KeyRefusal): KeyCheck {
  return { caller: null, key: null, address: null, refusal };
}

function wrongRole({ roles, keyLimits }: KeyCaller, allowed: readonly StaffRole[]): string {
  const role = roles.find((one) => !allowed.includes(one));
  if (role === keyLimits?.role) return `This operator key has the role ${role}, which may not make this call. Use a key with another role.`;
  return `The person who created this operator key has the role ${role}, which may not make this call. Ask an admin for a new key.`;
}

function keyCaller(row: FoundKey): KeyCaller {
  const actor = `key:${row.key_id}`;
  const keyLimits = hasLimits(row) ? row : null;
  return { ...ENVIRONMENT_CALLER, roles: effectiveRoles(row), keyLimits, actor, person: row.created_by ?? actor };
}
