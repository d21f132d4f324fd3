import { randomBytes } from "node:crypto";
import type { AuthContext } from "../context.ts";
import { type Challenge, insertChallenge, takeChallenge } from "./factor-store.ts";

const LIFE_MILLISECONDS = 5 * 60_000;

export type Ceremony = Pick<Challenge, "purpose" | "userId">;

/** The site as the browser sees it; a passkey belongs to its host. */
export type Site = { readonly origin: string };

export function siteHost({ origin }: Site): string {
  return new URL(origin).hostname;
}

export async function newChallenge(ctx: AuthContext, ceremony: Ceremony): Promise<Buffer<ArrayBuffer>> {
  const bytes = Buffer.from(randomBytes(32));
  const row = { challenge: bytes.toString("base64url"), realm: ctx.realm, ...ceremony };
  await insertChallenge(ctx.sql, row, new Date(ctx.clock.now() + LIFE_MILLISECONDS));
  return bytes;
}

/** Consumes the challenge that an answer was made for; null when there is none. */
export async function answeredChallenge(ctx: AuthContext, ceremony: Ceremony, clientDataJson: string): Promise<string | null> {
  const challenge = challengeIn(clientDataJson);
  if (challenge === null) return null;
  return (await takeChallenge(ctx.sql, { challenge, realm: ctx.realm, ...ceremony }, new Date(ctx.clock.now()))) ? challenge : null;
}

function challengeIn(clientDataJson: string): string | null {
  try {
    const { challenge } = JSON.parse(Buffer.from(clientDataJson, "base64url").toString()) as { readonly challenge?: unknown };
    return typeof challenge === "string" && /^[\w-]{43}$/.test(challenge) ? challenge : null;
  } catch {
    return null;
  }
}
