import type { JsonValue } from "../../../platform/core/strict-json.ts";
import { type Description, readDescription } from "../description/definition.ts";
import { addressOf } from "../description/request/build-request.ts";
import { allPlans } from "../description/run/plan.ts";
import { keepsWhole } from "../description/template/filters.ts";
import { type Placeholder, placeholdersIn } from "../description/template/parse.ts";
import type { DescribedProvider } from "./described-provider.ts";

/** A use of a secret by which somebody could read it: an address that gets it, or a place where a part of it stands. */
export type SecretUse = { readonly name: string; readonly use: string };

export function secretUses({ connector, settings }: Omit<DescribedProvider, "provider">): readonly SecretUse[] {
  const read = connector === "description" ? readDescription(settings) : null;
  return read?.ok ? [...addressUses(read.definition), ...partialUses(read.definition)] : [];
}

function addressUses(definition: Description): readonly SecretUse[] {
  const { login, network, headers, query } = definition;
  const own = allPlans(definition).flatMap(({ plan }) => plan.steps.map(({ request }) => ({ ...request, common: { headers, query } })));
  const requests = login === undefined ? own : [...own, login.request];
  const sent = requests.flatMap((request) => {
    const { origin } = addressOf(request.url, definition.base_url);
    return secretsIn(request as JsonValue, definition).map((name) => ({ name, use: origin }));
  });
  if (network.proxy === undefined) return sent;
  // Whoever runs the proxy can read what is sent without TLS, and the proxy's own password.
  const use = `proxy ${network.proxy.replace(/\{[^{}]*\}/g, "").replace(/^.*@/, "")}`;
  const names = [...sent.map(({ name }) => name), ...secretsIn(network.proxy, definition)];
  return [...sent, ...names.map((name) => ({ name, use }))];
}

/** Evidence can hide a whole secret wherever it stands, but not what a filter or a map of codes leaves of it. */
function partialUses(definition: Description): readonly SecretUse[] {
  return placesIn(definition as JsonValue, "").flatMap(({ path, placeholder }) => {
    const { name, filters, source } = placeholder;
    const isSecret = name.startsWith("secret.");
    if (!path.startsWith(".codes.") && (isSecret ? keepsWhole(filters) : filters.length === 0)) return [];
    const reached = reachedFrom(name, definition);
    // The parts of a request that a signature is made of may contain any secret.
    const isOfRequest = reached.some((one) => one.startsWith("request."));
    return (isOfRequest ? definition.secrets : secretsAmong(reached)).map((secret) => ({ name: secret, use: `${path} ${source}` }));
  });
}

type Place = { readonly path: string; readonly placeholder: Placeholder };

/** All placeholders with the names of the fields around them. Positions in lists are left out, because steps may move. */
function placesIn(value: JsonValue, path: string): readonly Place[] {
  if (typeof value === "string") return placeholdersIn(value).map((placeholder) => ({ path, placeholder }));
  if (Array.isArray(value)) return value.flatMap((item: JsonValue) => placesIn(item, path));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => placesIn(member as JsonValue, `${path}.${name}`));
}

function secretsIn(value: JsonValue, definition: Description): readonly string[] {
  const seen = new Set<string>();
  for (const { placeholder } of placesIn(value, "")) reachedFrom(placeholder.name, definition, seen);
  return secretsAmong([...seen]);
}

function secretsAmong(names: readonly string[]): readonly string[] {
  return names.flatMap((name) => (name.startsWith("secret.") ? [name.slice("secret.".length)] : []));
}

/** The names that a placeholder's value is made of, through computed values and maps of codes. */
function reachedFrom(name: string, definition: Description, seen = new Set<string>()): readonly string[] {
  if (seen.has(name)) return [...seen];
  seen.add(name);
  const [group, member = ""] = name.split(".");
  const source = group === "computed" ? definition.computed[member] : group === "code" ? definition.codes[member]?.by : undefined;
  for (const { placeholder } of placesIn((source ?? null) as JsonValue, "")) reachedFrom(placeholder.name, definition, seen);
  return [...seen];
}
