import { done, type Outcome } from "../outcome.ts";
import type { ClientContext } from "../run-command.ts";
import { createClient, type ProfileOption } from "./credentials.ts";
import { wireNames } from "./wire-names.ts";

export async function showBalance(ctx: ClientContext, options: ProfileOption): Promise<Outcome> {
  const found = await (await createClient(ctx, options)).account.balance();
  const held = /^0(\.0*)?$/.test(found.held) ? "" : `, ${found.held} held`;
  const suspended = found.wallet === "suspended" ? ". The wallet is suspended" : "";
  return done(`${found.balance} ${found.currency}${held}${suspended}`, wireNames(found));
}
