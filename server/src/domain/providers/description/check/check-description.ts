import { isTransaction } from "@corprail/connector";
import type { Sliced } from "../../../../platform/core/slices.ts";
import type { Fault } from "../../settings/faults.ts";
import type { Description } from "../definition.ts";
import type { PagesDefinition } from "../language/operations.ts";
import { knownNames, LOGIN_NAMES } from "../request/known-names.ts";
import { resultShape } from "../run/findings.ts";
import { allPlans, type PlannedOperation } from "../run/plan.ts";
import { fixedAnswer, valueShape } from "../run/query.ts";
import { callbackFaults } from "./check-callbacks.ts";
import { type NameContext, placeFaults } from "./check-names.ts";
import { conditionFaults, membersFaults, readerFaults, readFaults } from "./check-readers.ts";
import { sampleFaults } from "./check-samples.ts";
import { checkStep, planFaults } from "./check-steps.ts";
import { urlFaults } from "./check-urls.ts";
import { unauthorizedFaults } from "./definite.ts";
import { headerPlaces, parameterPlaces, requestPlaces } from "./template-places.ts";

/** Checks across several fields of a description. Each fault is reported once, at the field that must change. */
export function* checkDescription(definition: Description): Sliced<readonly Fault[]> {
  const used = new Set<string>();
  const plans = allPlans(definition);
  const faults: Fault[] = [...secretFaults(definition), ...referenceFaults(definition), ...urlFaults(definition, plans)];
  for (const planned of plans) {
    faults.push(...operationFaults(definition, planned, used));
    yield;
  }
  faults.push(...loginFaults(definition, used), ...callbackFaults(definition, used), ...unusedFaults(definition, used));
  yield;
  // Samples are read by the rules, so the rules must be right first.
  const all = faults.length === 0 ? yield* sampleFaults(definition) : faults;
  return [...new Map(all.map((fault) => [`${fault.path} ${fault.message}`, fault])).values()];
}

function secretFaults({ secrets, network }: Description): readonly Fault[] {
  const twice = secrets.flatMap((name, index) =>
    secrets.indexOf(name) === index ? [] : [{ path: `secrets[${index}]`, message: "Is listed twice." }],
  );
  const named = [
    ["network.client_certificate", network.client_certificate],
    ["network.client_key", network.client_key],
    ["network.ca", network.ca],
  ] as const;
  const unlisted = named.flatMap(([path, name]) =>
    name === undefined || secrets.includes(name) ? [] : [{ path, message: `The secret ${name} is not listed under secrets.` }],
  );
  const isHalf = (network.client_certificate === undefined) !== (network.client_key === undefined);
  return [...twice, ...unlisted, ...(isHalf ? [{ path: "network", message: "Give client_certificate and client_key together." }] : [])];
}

// With a date the numbers begin anew every day; without one they must be enough for ever.
const LEAST_ROOM = { none: 8, yyMMdd: 4, yyyyMMdd: 4 } as const;

function referenceFaults({ reference }: Description): readonly Fault[] {
  if (reference === undefined) return [];
  const { length, prefix, date } = reference;
  const room = length - prefix.length - (date === "none" ? 0 : date.length);
  const least = LEAST_ROOM[date];
  const message = `Leaves ${Math.max(room, 0)} characters for the number of an order; at least ${least} are needed${date === "none" ? " without a date" : ""}.`;
  return room >= least ? [] : [{ path: "reference.length", message }];
}

function operationFaults(definition: Description, planned: PlannedOperation, used: Set<string>): readonly Fault[] {
  const { name, part, place, plan } = planned;
  const operation = definition.operations[name];
  const hasPages = operation !== undefined && "pages" in operation && operation.pages !== undefined;
  const saved: string[] = [];
  const contextNow = (): NameContext => ({
    definition,
    known: knownNames(name, part),
    saved: [...saved],
    hasPages,
    hasToken: definition.login !== undefined,
    used,
  });
  const common = contextNow();
  const faults = plan.steps.flatMap((step) => {
    const context = contextNow();
    const found = [...placeFaults(requestPlaces(step.request, `${step.place}.request`), context), ...checkStep(planned, step, context)];
    for (const value of Object.keys(step.save)) saved.push(`step.${step.name}.${value}`);
    return found;
  });
  return [
    ...faults,
    ...placeFaults(headerPlaces(definition.headers, "headers"), common),
    ...placeFaults(parameterPlaces(definition.query, "query", "url"), common),
    ...(definition.read === undefined ? [] : readFaults(definition.read, "read", common)),
    ...planFaults(definition, planned),
    ...valueFaults(definition, planned, { ...contextNow() }, place),
  ];
}

/** Whether what is read is what the operation needs. */
function valueFaults(definition: Description, { name, part }: PlannedOperation, context: NameContext, place: string): readonly Fault[] {
  if (isTransaction(name)) {
    const transaction = definition.operations[name];
    const readers = part === "send" ? transaction?.result : transaction?.status.result;
    return readers === undefined ? [] : membersFaults(readers, `${place}.result`, resultShape(name), context);
  }
  const query = definition.operations[name];
  if (query === undefined) return [];
  if (query.fixed !== undefined) {
    const fixed = fixedAnswer(name, query.fixed);
    return fixed.kind === "unavailable"
      ? [{ path: `${place}.fixed`, message: `${fixed.why[0]?.toUpperCase()}${fixed.why.slice(1)}.` }]
      : [];
  }
  const shape = valueShape(name);
  const rules = [...(query.outcome ?? []), ...(query.steps ?? []).flatMap((step) => step.outcome ?? [])];
  const answered = rules.flatMap((rule) => (rule.means === "answered" ? [rule.value ?? {}] : []));
  const values = answered.length === 0 ? [{}] : answered;
  return [
    ...values.flatMap((own) => membersFaults({ ...query.value, ...own }, `${place}.value`, shape, context)),
    ...pageFaults(query.pages, `${place}.pages`, context),
  ];
}

function pageFaults(pages: PagesDefinition | undefined, place: string, context: NameContext): readonly Fault[] {
  if (pages === undefined) return [];
  const { by, next, last_when: last = {} } = pages;
  return [
    ...(next === undefined ? [] : readerFaults(next, `${place}.next`, {}, context)),
    ...(by === "cursor" && next === undefined ? [{ path: `${place}.next`, message: "Say where the next cursor is." }] : []),
    ...conditionFaults(last, `${place}.last_when`, context),
  ];
}

function loginFaults(definition: Description, used: Set<string>): readonly Fault[] {
  const { login } = definition;
  if (login === undefined) return [];
  const context: NameContext = { definition, known: LOGIN_NAMES, saved: [], hasPages: false, hasToken: false, used };
  return [
    ...placeFaults(requestPlaces(login.request, "login.request"), context),
    ...readerFaults(login.token, "login.token", {}, context),
    ...unauthorizedFaults(login.unauthorized, "login.unauthorized", context),
    ...(login.read === undefined ? [] : readFaults(login.read, "login.read", context)),
  ];
}

/** What nothing uses is not checked either, and is probably a slip. */
function unusedFaults(definition: Description, used: ReadonlySet<string>): readonly Fault[] {
  const computed = Object.keys(definition.computed).map((name) => `computed.${name}`);
  const codes = Object.keys(definition.codes).filter((name) => name !== "operators" && name !== "circles");
  const all = [...computed, ...codes.map((name) => `codes.${name}`)];
  return all.filter((path) => !used.has(path)).map((path) => ({ path, message: "Is never used." }));
}
