import type { JsonObject } from "../../platform/core/strict-json.ts";
import type { Transaction } from "../../platform/db/connection.ts";
import { appendAudit } from "../audit/append.ts";
import type { CatalogueContext, SwitchResult } from "./context.ts";
import { lockService, type ServiceRow, updateService } from "./store.ts";

export type ServiceSwitch = {
  readonly service: string;
  readonly enabled?: boolean | undefined;
  /** `HH:MM` in India; null removes it. */
  readonly opensAt?: string | null | undefined;
  readonly closesAt?: string | null | undefined;
  readonly reason?: string | undefined;
};

/** Enables or disables a service for the whole installation, or sets its hours. */
export async function switchService(ctx: CatalogueContext, actor: string, input: ServiceSwitch): Promise<SwitchResult> {
  const found = await ctx.sql.begin((tx) => change(tx, ctx, actor, input));
  if (!found) return { kind: "not_found" };
  await ctx.refresh();
  return { kind: "done" };
}

async function change(tx: Transaction, ctx: CatalogueContext, actor: string, input: ServiceSwitch): Promise<boolean> {
  const before = await lockService(tx, input.service);
  if (!before) return false;
  const after: ServiceRow = {
    ...before,
    enabled: input.enabled ?? before.enabled,
    opens_at: input.opensAt === undefined ? before.opens_at : input.opensAt,
    closes_at: input.closesAt === undefined ? before.closes_at : input.closesAt,
  };
  const changes = difference(before, after);
  if (Object.keys(changes).length === 0) return true;
  await updateService(tx, after);
  const details: JsonObject = input.reason === undefined ? { changes } : { changes, reason: input.reason };
  await appendAudit(tx, new Date(ctx.clock.now()), {
    actor,
    action: "service.switched",
    subject: { kind: "service", id: input.service },
    details,
  });
  return true;
}

function difference(before: ServiceRow, after: ServiceRow): JsonObject {
  const names = ["enabled", "opens_at", "closes_at"] as const;
  const changed = names.filter((name) => before[name] !== after[name]);
  return Object.fromEntries(changed.map((name) => [name, { from: before[name], to: after[name] }]));
}
