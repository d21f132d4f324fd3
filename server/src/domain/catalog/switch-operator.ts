import type { JsonObject } from "../../platform/core/strict-json.ts";
import type { Transaction } from "../../platform/db/connection.ts";
import { appendAudit } from "../audit/append.ts";
import type { CatalogueContext, SwitchResult } from "./context.ts";
import { updateOperator } from "./store.ts";

export type OperatorSwitch = { readonly operator: string; readonly enabled: boolean; readonly reason?: string | undefined };

/** Enables or disables a recharge operator for the whole installation. */
export async function switchOperator(ctx: CatalogueContext, actor: string, input: OperatorSwitch): Promise<SwitchResult> {
  const found = await ctx.sql.begin((tx) => change(tx, ctx, actor, input));
  if (!found) return { kind: "not_found" };
  await ctx.refresh();
  return { kind: "done" };
}

async function change(tx: Transaction, ctx: CatalogueContext, actor: string, input: OperatorSwitch): Promise<boolean> {
  const switched = await updateOperator(tx, input.operator, input.enabled);
  if (switched === null) return false;
  if (!switched) return true;
  const changes = { enabled: { from: !input.enabled, to: input.enabled } };
  const details: JsonObject = input.reason === undefined ? { changes } : { changes, reason: input.reason };
  await appendAudit(tx, new Date(ctx.clock.now()), {
    actor,
    action: "operator.switched",
    subject: { kind: "operator", id: input.operator },
    details,
  });
  return true;
}
