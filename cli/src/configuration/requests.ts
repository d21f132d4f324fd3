import { readFile } from "node:fs/promises";
import type { SecretReference } from "@corprail/server/domain/configuration/item-schemas";
import type { JsonObject, JsonValue } from "@corprail/server/platform/core/strict-json";
import type { Change } from "./compare.ts";

/** A call of the operator API. */
export type Call = { readonly path: string; readonly body: JsonObject };

type Environment = Readonly<Record<string, string | undefined>>;

/** The calls that make a change, in their order. Secrets are read here, and nowhere before. */
export async function callsOf(change: Change, environment: Environment): Promise<readonly Call[]> {
  const { kind, name, value } = change;
  const changed = Object.fromEntries(change.fields.map(({ path, to }) => [path.split(".")[0] ?? path, to])) as JsonObject;
  const given = pick(value, Object.keys(changed));
  switch (kind) {
    case "services":
      return [{ path: `/services/${name}`, body: given }];
    case "operators":
      return [{ path: `/operators/${name}`, body: given }];
    case "transfer_settings":
      return [{ path: "/services/transfers/settings", body: given }];
    case "alert_rules":
      return [{ path: "/alert-settings", body: given }];
    case "approval_rules":
      return [{ path: "/approval-rules", body: given }];
    case "providers":
      return await providerCalls(change, environment);
    case "routes":
      return change.action === "remove"
        ? [{ path: "/routes/delete", body: pick(value, ["service", "operator", "provider"]) }]
        : [{ path: "/routes", body: value }];
    case "prices":
      return [
        change.action === "remove" ? { path: `/pricing/${change.id ?? ""}/end`, body: {} } : { path: "/pricing", body: priceBody(value) },
      ];
    case "roles":
      return roleCalls(change, changed);
    case "clients":
      return clientCalls(change, given);
  }
}

/** The body of a rule. A rule for all accounts must say so. */
export function priceBody({ account_id, service, operator, fee, commission, valid_from }: JsonObject): JsonObject {
  const scope = typeof account_id === "string" ? { account_id } : { all_accounts: true };
  return { ...scope, service, operator, fee, commission, ...(valid_from === undefined ? {} : { valid_from }) } as JsonObject;
}

async function providerCalls(change: Change, environment: Environment): Promise<readonly Call[]> {
  const { name, value, action, fields } = change;
  const isEnabled = value["enabled"] === true && action !== "remove";
  const toggle = { path: `/providers/${name}/switch`, body: { enabled: isEnabled } };
  if (action === "remove") return [toggle];
  const wanted = fields.filter(({ path }) => path.startsWith("secrets."));
  const secrets: Record<string, JsonValue> = {};
  for (const { path, to } of wanted) secrets[path.slice("secrets.".length)] = await readSecret(to as SecretReference, environment);
  const body = { definition: value["definition"] ?? {}, ...(wanted.length === 0 ? {} : { secrets }) };
  const definitionCall = { path: action === "add" ? "/providers" : `/providers/${name}`, body };
  const isDescribed = action === "add" || wanted.length > 0 || fields.some(({ path }) => path.startsWith("definition"));
  // A new provider is switched on.
  const isToggled = action === "add" ? !isEnabled : fields.some(({ path }) => path === "enabled");
  return [...(isDescribed ? [definitionCall] : []), ...(isToggled ? [toggle] : [])];
}

async function readSecret(reference: SecretReference, environment: Environment): Promise<string | null> {
  if (reference === null) return null;
  const [where, value] =
    "env" in reference
      ? [`the variable ${reference.env}`, environment[reference.env]]
      : [`the file ${reference.file}`, (await readFile(reference.file, "utf8").catch(() => undefined))?.replace(/\r?\n$/, "")];
  if (!value) throw new Error(`The secret in ${where} is missing or empty.`);
  return value;
}

function roleCalls({ id = "", value }: Change, changed: JsonObject): readonly Call[] {
  const path = `/staff/${id}`;
  return [
    ...("role" in changed ? [{ path: `${path}/role`, body: { role: value["role"] } as JsonObject }] : []),
    ...("disabled" in changed ? [{ path: `${path}/${value["disabled"] === true ? "disable" : "enable"}`, body: {} }] : []),
  ];
}

function clientCalls({ name, fields }: Change, given: JsonObject): readonly Call[] {
  const { services: _services, allowlist, ...settings } = given;
  const path = `/accounts/${name}`;
  const services = fields.find((field) => field.path === "services");
  return [
    ...(Object.keys(settings).length === 0 ? [] : [{ path, body: settings }]),
    ...(allowlist === undefined ? [] : [{ path: `${path}/allowlist`, body: { entries: allowlist } }]),
    ...(services === undefined ? [] : [{ path: `${path}/services`, body: switches(names(services.from), names(services.to)) }]),
  ];
}

function names(value: JsonValue | undefined): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

/** Only the services that change. */
function switches(from: readonly string[], to: readonly string[]): JsonObject {
  const on = to.filter((service) => !from.includes(service)).map((service) => [service, true] as const);
  const off = from.filter((service) => !to.includes(service)).map((service) => [service, false] as const);
  return Object.fromEntries([...on, ...off]);
}

function pick(value: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(names.flatMap((name) => (value[name] === undefined ? [] : [[name, value[name]]])));
}
