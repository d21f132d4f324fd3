import type { Rule } from "./rule.ts";

/** Finds the rule that applies to an order at a time; null when there is none. */
export type RuleBook = (accountId: string, service: string, operator: string, at: number) => Rule | null;

const ALL = "";
type Branch<Value> = Map<string, Value>;
type Tree = Branch<Branch<Branch<Rule[]>>>;

/** An index of the rules, which finds a rule with at most six lookups. */
export function ruleBook(rules: readonly Rule[]): RuleBook {
  const tree: Tree = new Map();
  for (const rule of rules.filter(hasBegun).toSorted(byBeginning)) {
    const services = branch(tree, rule.accountId ?? ALL, () => new Map());
    const operators = branch(services, rule.service ?? ALL, () => new Map());
    branch<Rule[]>(operators, rule.operator ?? ALL, () => []).push(rule);
  }
  return (accountId, service, operator, at) =>
    closest(tree.get(accountId), service, operator, at) ?? closest(tree.get(ALL), service, operator, at);
}

function closest(services: Branch<Branch<Rule[]>> | undefined, service: string, operator: string, at: number): Rule | null {
  if (!services) return null;
  const ofService = services.get(service);
  return inForce(ofService?.get(operator), at) ?? inForce(ofService?.get(ALL), at) ?? inForce(services.get(ALL)?.get(ALL), at);
}

/** The latest rule that has begun, unless it was ended. It has ended its predecessors. */
function inForce(rules: readonly Rule[] | undefined, at: number): Rule | null {
  const latest = rules?.findLast((rule) => rule.validFrom <= at);
  return latest && (latest.endedAt === null || latest.endedAt > at) ? latest : null;
}

/** False for a rule that was ended before its start. */
function hasBegun(rule: Rule): boolean {
  return rule.endedAt === null || rule.endedAt > rule.validFrom;
}

function byBeginning(one: Rule, other: Rule): number {
  return one.validFrom - other.validFrom || (one.ruleId < other.ruleId ? -1 : 1);
}

function branch<Value>(parent: Branch<Value>, name: string, make: () => Value): Value {
  const known = parent.get(name);
  if (known) return known;
  const created = make();
  parent.set(name, created);
  return created;
}
