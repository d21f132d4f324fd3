import { unixSeconds } from "../../../platform/core/clock.ts";
import type { CallbacksContext } from "../delivery/context.ts";
import { signedJson } from "../delivery/formats.ts";
import type { Outcome } from "../delivery/send.ts";

type SecretRow = { readonly credential_id: string; readonly key_id: string; readonly sealed: Buffer };

/** Posts fields once to a URL of an account, signed with its callback secret as a version 3 callback is. */
export async function sendNotice(
  ctx: CallbacksContext,
  accountId: string,
  url: string,
  fields: Readonly<Record<string, string>>,
): Promise<Outcome> {
  const [row] = await ctx.sql<SecretRow[]>`
    select credential_id, key_id, sealed from credentials
    where account_id = ${accountId} and kind = 'callback_secret' and expires_at is null`;
  if (!row) return { httpStatus: null, error: "The account has no callback secret." };
  const { credential_id: credentialId, key_id: keyId, sealed } = row;
  const key = await ctx.keys.open({ accountId, credentialId, kind: "callback_secret", keyId, sealed });
  const stamp = { ts: unixSeconds(ctx.clock), nonce: ctx.ids.request() };
  return await ctx.sender.send(signedJson([["v", "3"], ...Object.entries(fields)], stamp, new URL(url), key));
}
