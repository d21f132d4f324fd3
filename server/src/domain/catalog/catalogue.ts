import type { OpeningHours } from "../../platform/core/india-time.ts";
import { type Money, moneyOf } from "../../platform/core/money.ts";
import type { Sql } from "../../platform/db/connection.ts";
import type { Change } from "../audit/feed.ts";
import { type ServiceDefinition, serviceDefinition } from "../shared/service-definition.ts";
import { type Numbering, numbering } from "./numbering.ts";
import {
  type AliasRow,
  type OperatorRow,
  readAliases,
  readCircles,
  readOperators,
  readPlans,
  readSeries,
  readServices,
  type ServiceRow,
} from "./store.ts";

/** A service of the installation and whether it is enabled. */
export type Service = OpeningHours & {
  readonly service: string;
  readonly name: string;
  /** The word for one of its transactions in a sentence. */
  readonly transaction: string;
  readonly signing: ServiceDefinition["signing"];
  readonly enabled: boolean;
};

export type Operator = {
  readonly operator: string;
  readonly name: string;
  readonly kind: string;
  readonly accountLabel: string;
  readonly accountPattern: RegExp;
  readonly accountExample: string;
  readonly minAmount: Money;
  readonly maxAmount: Money;
  readonly denominations: readonly Money[];
  readonly enabled: boolean;
};

/** Services and recharge operators in memory, for decisions that must not wait. */
export type Catalogue = {
  readonly services: () => readonly Service[];
  readonly service: (name: string) => Service;
  readonly hasService: (name: string) => boolean;
  readonly operators: () => readonly Operator[];
  readonly operator: (codeOrAlias: string) => Operator | null;
  readonly numbering: () => Numbering;
  readonly reload: () => Promise<void>;
};

type Content = {
  readonly services: ReadonlyMap<string, Service>;
  readonly operators: readonly Operator[];
  readonly byName: ReadonlyMap<string, Operator>;
  readonly numbering: Numbering;
};

export async function loadCatalogue(sql: Sql): Promise<Catalogue> {
  let content = await read(sql);
  return {
    services: () => [...content.services.values()],
    service: (name) => {
      const service = content.services.get(name);
      if (!service) throw new Error(`The catalogue has no service ${name}.`);
      return service;
    },
    hasService: (name) => content.services.has(name),
    operators: () => content.operators,
    operator: (codeOrAlias) => content.byName.get(codeOrAlias) ?? null,
    numbering: () => content.numbering,
    reload: async () => {
      content = await read(sql);
    },
  };
}

/** Updates the catalogue from the change feed. */
export function catalogueChanges(catalogue: Catalogue): (changes: readonly Change[]) => Promise<void> {
  return async (changes) => {
    if (changes.some((change) => change.kind === "service" || change.kind === "operator")) await catalogue.reload();
  };
}

async function read(sql: Sql): Promise<Content> {
  const [services, operatorRows, aliases, circles, series, plans] = await sql.begin("isolation level repeatable read read only", (tx) => [
    readServices(tx),
    readOperators(tx),
    readAliases(tx),
    readCircles(tx),
    readSeries(tx),
    readPlans(tx),
  ]);
  const operators = operatorRows.map(toOperator);
  return {
    services: new Map(services.map((row) => [row.service, toService(row)])),
    operators,
    byName: byName(operators, aliases),
    numbering: numbering(circles, series, plans),
  };
}

function toService(row: ServiceRow): Service {
  const { service, name, transaction, enabled, opens_at: opensAt, closes_at: closesAt } = row;
  return { service, name, transaction, signing: serviceDefinition(service).signing, enabled, opensAt, closesAt };
}

function byName(operators: readonly Operator[], aliases: readonly AliasRow[]): ReadonlyMap<string, Operator> {
  const names = new Map(operators.map((operator) => [operator.operator, operator]));
  for (const { alias, operator } of aliases) {
    const target = names.get(operator);
    // A code takes precedence over an alias.
    if (target && !names.has(alias)) names.set(alias, target);
  }
  return names;
}

function toOperator(row: OperatorRow): Operator {
  return {
    operator: row.operator,
    name: row.name,
    kind: row.kind,
    accountLabel: row.account_label,
    accountPattern: new RegExp(row.account_pattern, "u"),
    accountExample: row.account_example,
    minAmount: moneyOf(row.min_amount),
    maxAmount: moneyOf(row.max_amount),
    denominations: row.denominations.map(moneyOf),
    enabled: row.enabled,
  };
}
