import { z } from "zod";
import { type AskResult, askIfNeeded } from "../../../domain/approvals/ask-approval.ts";
import {
  changeSettings,
  differences,
  faultsOf,
  type SettingsChange,
  settingsFields,
  withChange,
} from "../../../domain/services/transfers/change-settings.ts";
import { IMPACT_DAYS, readSettingsImpact } from "../../../domain/services/transfers/settings-impact.ts";
import { readSettings } from "../../../domain/services/transfers/settings-store.ts";
import { indiaDateTime } from "../../../platform/core/india-time.ts";
import { formatMoney, parseMoney } from "../../../platform/core/money.ts";
import { EVERYBODY, MONEY, may } from "../access.ts";
import { answerWithApproval, type Call } from "../approvals/require-approval.ts";
import { actor, caller } from "../caller.ts";
import type { OperatorApiDependencies } from "../dependencies.ts";
import { refuseFields } from "../errors.ts";
import { reason } from "../fields.ts";
import { percent } from "../pricing/fields.ts";
import type { ZodApp } from "../zod-app.ts";

function amount(least: bigint, words: string) {
  return z
    .string()
    .transform((text, ctx) => {
      const money = parseMoney(text);
      if (money !== null && money >= least) return money;
      ctx.addIssue(words);
      return z.NEVER;
    })
    .optional();
}

const aboveZero = amount(1n, "Must be an amount greater than zero, such as 5000.00.");
const orZero = amount(0n, "Must be an amount, such as 10.00, or 0.");

const settings = {
  min_amount: aboveZero,
  max_amount: aboveZero,
  month_limit: aboveZero,
  fee_percent: percent.optional(),
  fee_least: orZero,
  penny_drop_fee: orZero,
};
const impactBody = z.strictObject(settings);
const changeBody = z.strictObject({ ...settings, reason });

/** Installation-wide limits and fees of money transfers. */
export function transferSettingsRoutes(app: ZodApp, deps: OperatorApiDependencies): void {
  app.get("/services/transfers/settings", { config: may(EVERYBODY) }, async () => settingsFields(await readSettings(deps.sql)));

  app.post("/services/transfers/settings", { config: may(MONEY, "fresh"), schema: { body: changeBody } }, async (request, reply) => {
    const { reason: why, ...body } = request.body;
    const held = await holdBackSettings({ deps, request }, { change: toChange(body), reason: why });
    if (held?.kind === "invalid") return refuseFields(reply, held.fields);
    if (held) return await answerWithApproval({ deps, request }, reply, held);
    const result = await changeSettings(deps, actor(request), { change: toChange(body), reason: why });
    return result.kind === "done" ? reply.send(settingsFields(result.settings)) : refuseFields(reply, result.fields);
  });

  app.post("/services/transfers/settings/impact", { config: may(MONEY), schema: { body: impactBody } }, async (request, reply) => {
    const current = await readSettings(deps.sql);
    const proposed = withChange(current, toChange(request.body));
    const faults = faultsOf(proposed);
    if (Object.keys(faults).length > 0) return refuseFields(reply, faults);
    const impact = await readSettingsImpact(deps.sql, { current, proposed }, deps.clock.now());
    return reply.send({
      days: IMPACT_DAYS,
      since: indiaDateTime(impact.since),
      complete: impact.complete,
      transfers: impact.transfers,
      accounts: impact.accounts,
      refused: impact.refused,
      senders_over_limit: impact.sendersOverLimit,
      fees: formatMoney(impact.fees),
      current_fees: formatMoney(impact.currentFees),
    });
  });
}

type Invalid = { readonly kind: "invalid"; readonly fields: Readonly<Record<string, string>> };
type Wanted = { readonly change: SettingsChange; readonly reason: string | undefined };

/** Null lets it go on. It needs a second person wherever fee and commission rules do. */
async function holdBackSettings({ deps, request }: Call, { change, reason: why }: Wanted): Promise<AskResult | Invalid | null> {
  const before = await readSettings(deps.sql);
  const after = withChange(before, change);
  const fields = faultsOf(after);
  if (Object.keys(fields).length > 0) return { kind: "invalid", fields };
  const changes = differences({ before, after });
  if (Object.keys(changes).length === 0) return null;
  const input = { changes, ...(why === undefined ? {} : { reason: why }) };
  const asked = { kind: "transfer_settings", about: "transfer settings", input, amount: null, accountId: null, orderId: null } as const;
  return await askIfNeeded(deps.approvals, caller(request), asked);
}

function toChange(body: z.infer<typeof impactBody>): SettingsChange {
  return {
    minAmount: body.min_amount,
    maxAmount: body.max_amount,
    monthLimit: body.month_limit,
    feeBasisPoints: body.fee_percent,
    feeLeast: body.fee_least,
    pennyDropFee: body.penny_drop_fee,
  };
}
