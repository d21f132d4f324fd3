import { createHash, timingSafeEqual } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { OperatorApiDependencies } from "./dependencies.ts";
import { refuse } from "./errors.ts";
import { findOperatorKey } from "./key-store.ts";

const BEARER = /^bearer (opk_[A-Za-z0-9_-]{32,128})$/i;

/** Runs before anything else of a request is looked at, unknown paths included. */
export function authenticator(
  deps: OperatorApiDependencies,
): (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply | undefined> {
  const environmentDigest = deps.environmentKey === null ? null : keyDigest(deps.environmentKey);
  return async (request, reply) => {
    const actor = await actorOf(deps, environmentDigest, request);
    if (actor === null) return refuse(reply, "unauthorized", "Send a valid operator key as Authorization: Bearer opk_….");
    request.setDecorator("actor", actor);
    return undefined;
  };
}

/** Who makes the change, as the audit trail names them. */
export function actor(request: FastifyRequest): string {
  return request.getDecorator<string>("actor");
}

/** A key is random and long, so a plain digest says nothing about it. */
export function keyDigest(key: string): Buffer {
  return createHash("sha256").update(key).digest();
}

async function actorOf(deps: OperatorApiDependencies, environmentDigest: Buffer | null, request: FastifyRequest): Promise<string | null> {
  const [header, ...others] = request.raw.headersDistinct["authorization"] ?? [];
  const key = others.length === 0 ? BEARER.exec(header ?? "")?.[1] : undefined;
  if (key === undefined) return null;
  const digest = keyDigest(key);
  if (environmentDigest && timingSafeEqual(digest, environmentDigest)) return "operator-key";
  const row = await findOperatorKey(deps.sql, digest);
  return row && timingSafeEqual(digest, row.digest) ? `key:${row.key_id}` : null;
}
