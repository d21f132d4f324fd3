import { z } from "zod";
import { indiaDate, isOpen } from "../../../platform/core/india-time.ts";
import { formatMoney, type Money } from "../../../platform/core/money.ts";
import type { Account } from "../../accounts/account.ts";
import type { Catalogue, Service } from "../../catalog/catalogue.ts";
import { type Route, route } from "../../client-api/route.ts";
import { readDayTotal } from "../../ledger/store.ts";
import type { Refusal } from "../../shared/refusals.ts";
import { type Page, type PageInput, pageInput, pageOf } from "../page.ts";
import { type RechargeContext, SERVICE } from "./context.ts";

const limit = z.string().nullable().describe("Decimal with four places; null when there is none");

/** A service as clients see it. */
export const serviceItem = z.object({
  service: z.string(),
  name: z.string(),
  enabled: z.boolean(),
  signing: z.enum(["optional", "required"]),
  state: z.enum(["open", "closed", "off"]),
  opens_at: z.string().nullable(),
  closes_at: z.string().nullable(),
  reason: z.string(),
  limits: z.object({ per_transaction_min: limit, per_transaction_max: limit, per_day: limit, used_today: limit }),
});

type ListServicesContext = Pick<RechargeContext, "catalogue" | "clock" | "sql" | "limits" | "providerRegistry">;

export const listServicesInput = z.object(pageInput);

export function listServices(ctx: ListServicesContext): Route {
  return route({
    method: "GET",
    path: "/services",
    service: SERVICE,
    scope: null,
    kind: "plain",
    summary: "Lists the services and which of them the account may use",
    input: listServicesInput,
    reply: z.object({ ok: z.literal(true), items: z.array(serviceItem), next: z.string().nullable() }),
    handle: async ({ account, input }) => {
      const page = await readServices(ctx, account, input);
      return page.kind === "refused" ? page : { kind: "list", items: page.items, next: page.next };
    },
  });
}

type ServiceItem = z.output<typeof serviceItem>;
type Limits = ServiceItem["limits"];

/** A page of the services, and what of them the account may use. */
export async function readServices(ctx: ListServicesContext, account: Account, input: PageInput): Promise<Page<ServiceItem> | Refusal> {
  const page = pageOf(ctx.catalogue.services(), input, (one) => one.service);
  if (page.kind === "refused") return page;
  const usedToday = await readDayTotal(ctx.sql, account.accountId, indiaDate(ctx.clock.now()));
  const items = page.items.map(async (one) => serviceFields(ctx, account, one, await limitsOf(ctx, account, one, usedToday)));
  return { ...page, items: await Promise.all(items) };
}

function serviceFields(ctx: ListServicesContext, account: Account, service: Service, limits: Limits): ServiceItem {
  const served = isServed(ctx, account, service.service);
  const state = served ? stateOf(service, ctx.clock.now()) : "off";
  return {
    service: service.service,
    name: service.name,
    enabled: account.services.has(service.service),
    signing: account.signingRequired ? "required" : service.signing,
    state,
    opens_at: service.opensAt,
    closes_at: service.closesAt,
    reason: reasonOf(service, state, account, served),
    limits,
  };
}

type State = "open" | "closed" | "off";

function stateOf(service: Service, nowMilliseconds: number): State {
  if (!service.enabled) return "off";
  return isOpen(service, nowMilliseconds) ? "open" : "closed";
}

/** A recharge needs an operator, so the service is served when at least one of its operators is. */
function isServed({ providerRegistry, catalogue }: ListServicesContext, { sandbox }: Account, service: string): boolean {
  if (service !== SERVICE) return providerRegistry.serves({ service, sandbox });
  return catalogue.operators().some(({ operator, enabled }) => enabled && providerRegistry.serves({ service, operator, sandbox }));
}

function reasonOf(service: Service, state: State, account: Account, served: boolean): string {
  if (!account.services.has(service.service)) return "Not enabled for the account.";
  if (state === "off")
    return service.enabled && !served
      ? "Not available at the moment. New orders are refused, and nothing is charged."
      : "Switched off by the platform.";
  return state === "closed" ? "Closed for the night." : "";
}

const NO_LIMITS = { per_transaction_min: null, per_transaction_max: null, per_day: null, used_today: null };

async function limitsOf(ctx: ListServicesContext, account: Account, { service }: Service, usedToday: Money): Promise<Limits> {
  if (service === SERVICE) return rechargeLimits(ctx.catalogue, account, usedToday);
  const limits = await ctx.limits(service);
  if (!limits) return NO_LIMITS;
  return { ...NO_LIMITS, per_transaction_min: formatMoney(limits.least), per_transaction_max: formatMoney(limits.most) };
}

function rechargeLimits(catalogue: Catalogue, account: Account, usedToday: Money): Limits {
  const operators = catalogue.operators();
  return {
    per_transaction_min: extreme(
      operators.map((one) => one.minAmount),
      (a, b) => a < b,
    ),
    per_transaction_max: extreme(
      operators.map((one) => one.maxAmount),
      (a, b) => a > b,
    ),
    per_day: account.dailyLimit === null ? null : formatMoney(account.dailyLimit),
    used_today: formatMoney(usedToday),
  };
}

function extreme(amounts: readonly Money[], better: (a: Money, b: Money) => boolean): string | null {
  const [first, ...others] = amounts;
  return first === undefined ? null : formatMoney(others.reduce((best, one) => (better(one, best) ? one : best), first));
}
