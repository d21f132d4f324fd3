import { indiaDate } from "../../platform/core/india-time.ts";
import { formatMoney } from "../../platform/core/money.ts";
import type { Rate } from "../../platform/core/rate.ts";
import type { JsonObject } from "../../platform/core/strict-json.ts";
import type { Queryable, Sql, Transaction } from "../../platform/db/connection.ts";
import { type AccountRow, readAccountPage } from "../accounts/store.ts";
import { rulesView } from "../approvals/rules.ts";
import { readRules as readApprovalRules } from "../approvals/rules-store.ts";
import { readOperators, readServices } from "../catalog/store.ts";
import { listRules, type RuleState, type ShownRule } from "../pricing/list-rules.ts";
import { describe } from "../providers/settings/described-provider.ts";
import { readProviders, readRoutes } from "../providers/store.ts";
import { readAlertSettings } from "../reporting/alerts/settings.ts";
import { settingsFields } from "../services/transfers/settings/change-settings.ts";
import { readSettings } from "../services/transfers/settings/settings-store.ts";
import { type ConfigurationKind, type ConfigurationObject, ONLY, priceObjectName, routeObjectName } from "./configuration.ts";

export type ConfigurationSources = {
  readonly sql: Sql;
  readonly now: number;
  /** The names of the secrets that a provider has. */
  readonly secretsOf: (provider: string) => readonly string[];
};

type Reader = (tx: Transaction, sources: ConfigurationSources) => Promise<readonly Omit<ConfigurationObject, "kind">[]>;

const READERS: Readonly<Record<ConfigurationKind, Reader>> = {
  services: async (tx) =>
    (await readServices(tx)).map(({ service, enabled, opens_at, closes_at }) => named(service, { service, enabled, opens_at, closes_at })),
  operators: async (tx) => (await readOperators(tx)).map(({ operator, enabled }) => named(operator, { operator, enabled })),
  transfer_settings: async (tx) => [named(ONLY, settingsFields(await readSettings(tx)))],
  providers: async (tx, { secretsOf }) =>
    (await readProviders(tx)).map((row) => {
      const { provider, enabled } = row;
      return named(provider, { provider, enabled, definition: describe(row), secrets: [...secretsOf(provider)].toSorted() });
    }),
  routes: async (tx) => (await readRoutes(tx)).map((route) => named(routeObjectName(route), { ...route })),
  prices: async (tx, { now }) => (await readCurrentRules(tx, now)).map(priceObject),
  clients: async (tx) => (await readOpenAccounts(tx)).map(clientObject),
  roles: async (tx) => await readRoles(tx),
  alert_rules: async (tx) => [named(ONLY, { ...(await readAlertSettings(tx)) })],
  approval_rules: async (tx) => [named(ONLY, rulesView(await readApprovalRules(tx)))],
};

/** The kinds whose objects are in the database of each cell; all others are at home only. */
export const KINDS_OF_CELLS: readonly ConfigurationKind[] = ["clients"];

/** Reads all objects of these kinds as of one moment, by kind and name. */
export async function readConfiguration(
  sources: ConfigurationSources,
  kinds: readonly ConfigurationKind[],
): Promise<readonly ConfigurationObject[]> {
  return await sources.sql.begin("isolation level repeatable read read only", async (tx) => {
    const all: ConfigurationObject[] = [];
    for (const kind of kinds) all.push(...sortedByName(await READERS[kind](tx, sources)).map((one) => ({ kind, ...one })));
    return all;
  });
}

function named(name: string, value: JsonObject): { readonly name: string; readonly value: JsonObject } {
  return { name, value };
}

function sortedByName<Item extends { readonly name: string }>(objects: readonly Item[]): readonly Item[] {
  return objects.toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

const PAGE = 1000;

/** All rules that are in force or will be. */
async function readCurrentRules(sql: Queryable, now: number): Promise<readonly ShownRule[]> {
  const all: ShownRule[] = [];
  for (const state of ["in_force", "scheduled"] satisfies readonly RuleState[]) {
    let before: string | null = null;
    for (;;) {
      const page: readonly ShownRule[] = await listRules(sql, { state, before, limit: PAGE }, now);
      all.push(...page);
      before = page.at(-1)?.ruleId ?? null;
      if (page.length < PAGE) break;
    }
  }
  return all;
}

function priceObject(rule: ShownRule): Omit<ConfigurationObject, "kind"> {
  const scope = { account_id: rule.accountId, service: rule.service, operator: rule.operator };
  const scheduled = rule.state === "scheduled" ? indiaDate(rule.validFrom) : null;
  const value = {
    ...scope,
    fee: rateFields(rule.fee),
    commission: rateFields(rule.commission),
    ...(scheduled === null ? {} : { valid_from: scheduled }),
  };
  return { name: priceObjectName(scope, scheduled), value, id: rule.ruleId };
}

function rateFields(rate: Rate): JsonObject {
  return {
    percent: `${rate.basisPoints / 100n}.${(rate.basisPoints % 100n).toString().padStart(2, "0")}`,
    flat: formatMoney(rate.flat),
    min: rate.least === undefined ? null : formatMoney(rate.least),
    max: rate.most === undefined ? null : formatMoney(rate.most),
  };
}

async function readOpenAccounts(sql: Queryable): Promise<readonly AccountRow[]> {
  const all: AccountRow[] = [];
  for (;;) {
    const last = all.at(-1);
    const after = last ? { createdAt: last.created_at, accountId: last.account_id } : null;
    const page = await readAccountPage(sql, { search: undefined, standing: undefined, sandbox: undefined, after, limit: PAGE });
    all.push(...page);
    if (page.length < PAGE) return all.filter((account) => account.closed_at === null);
  }
}

function clientObject(account: AccountRow): Omit<ConfigurationObject, "kind"> {
  const value = {
    account_id: account.account_id,
    standing: account.standing,
    kyc: account.kyc,
    agreement: account.agreement,
    wallet: account.wallet,
    signing_required: account.signing_required,
    money_per_minute: account.money_per_minute,
    get_per_minute: account.get_per_minute,
    daily_limit: account.daily_limit === null ? null : formatMoney(account.daily_limit),
    services: account.services.toSorted(),
    allowlist: account.allowlist.toSorted(),
    callback_url: account.callback_url,
    complaint_callback_url: account.complaint_callback_url,
    callback_version: account.callback_version,
  };
  return { name: account.account_id, value, label: account.name };
}

async function readRoles(sql: Queryable): Promise<readonly Omit<ConfigurationObject, "kind">[]> {
  const rows = await sql<{ user_id: string; email: string; role: string; disabled: boolean }[]>`
    select user_id, email, role, disabled_at is not null as disabled from users where realm = 'console'`;
  return rows.map(({ user_id, email, role, disabled }) => ({ name: email, value: { email, role, disabled }, id: user_id }));
}
