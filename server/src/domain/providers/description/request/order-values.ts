import { indiaMidnight } from "../../../../platform/core/india-time.ts";
import { parseMoney } from "../../../../platform/core/money.ts";
import type { JsonObject, JsonValue } from "../../../../platform/core/strict-json.ts";
import type { ProviderRequest } from "../../connector.ts";
import type { Time, Value } from "../template/value.ts";
import { inputKind } from "./known-names.ts";

/** The values of ours that a call is made of, by placeholder name. */
export type Given = (name: string) => Value | undefined;

export function timeOf(at: number): Time {
  return { kind: "time", at, text: String(at) };
}

/** The values of a transaction. */
export function requestValues(request: ProviderRequest): Given {
  return (name) => {
    switch (name) {
      case "reference":
      case "service":
      case "operator":
      case "target":
      case "amount":
        return request[name];
      case "circle":
        return request.circle ?? undefined;
      case "created_at":
        return timeOf(request.createdAt);
      case "provider_ref":
        return request.providerRef === "" ? undefined : request.providerRef;
      default:
        return name.startsWith("details.") ? valueAt(request.details, name.slice("details.".length)) : undefined;
    }
  };
}

/** The values of a query. */
export function inputValues(input: JsonObject): Given {
  return (name) => {
    const value = valueAt(input, name);
    const { kind } = inputKind(name);
    if (typeof value !== "string" || kind === "text") return value;
    if (kind === "amount") return parseMoney(value) ?? value;
    const at = /^[0-9]+$/.test(value) ? Number(value) : indiaMidnight(value);
    return at === null ? value : { kind: "time", at, text: value };
  };
}

function valueAt(from: JsonObject | undefined, name: string): Value | undefined {
  let here: JsonValue | undefined = from;
  for (const step of name.split(".")) {
    if (typeof here !== "object" || here === null || !Object.hasOwn(here, step)) return undefined;
    here = (here as JsonObject)[step];
  }
  if (here === undefined || here === null) return undefined;
  if (typeof here === "object") return { kind: "many", items: here as readonly JsonValue[] | JsonObject };
  // An empty reference is none.
  return here === "" && name.endsWith("_ref") ? undefined : String(here);
}
