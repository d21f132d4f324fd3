import type { JsonValue } from "../../../platform/core/strict-json.ts";
import type { Queryable } from "../../../platform/db/connection.ts";
import { checkHost, literalFault } from "../../../platform/network/check-host.ts";
import { readAliases, readOperators } from "../../catalog/store.ts";
import type { Egress } from "../wire/exchange.ts";
import { describedCodes } from "./described-codes.ts";
import type { DescribedProvider } from "./described-provider.ts";
import type { Fault } from "./faults.ts";
import { originPlaces } from "./provider-origins.ts";

/** The 22 telecom circles of the catalogue, for checks without a database. */
export const CIRCLE_CODES: readonly string[] = "AP AS BR DL GJ HP HR JK KA KL KO MH MP MU NE OR PB RJ TN UE UW WB".split(" ");

// These checks apply when a description is saved or tried. A stored description that fails a newer check keeps working and
// `corprail doctor` reports it, because an upgrade must not stop a provider that carries orders out.

/** Checks that need neither a database nor a name server. */
export function descriptionFaults(described: DescribedProvider): readonly Fault[] {
  if (described.connector === "simulator" || described.connector === "plugin") return [];
  return [
    ...codeFaults(described, "operators", emptyFault),
    ...codeFaults(described, "circles", (code, theirs) => emptyFault(code, theirs) ?? circleFault(code)),
  ];
}

function emptyFault(code: string, theirs: JsonValue): string | null {
  if (code === "") return "A code must not be empty.";
  return typeof theirs === "string" && theirs.trim() === "" ? "The provider's code must not be empty." : null;
}

function circleFault(code: string): string | null {
  if (CIRCLE_CODES.includes(code)) return null;
  return `${JSON.stringify(code)} is not a telecom circle of the catalogue. Known circles: ${CIRCLE_CODES.join(" ")}.`;
}

/** Reports operators that are not in the catalogue, because no order would ever use them. */
export async function catalogueFaults(sql: Queryable, described: DescribedProvider): Promise<readonly Fault[]> {
  const [operators, aliases] = [await readOperators(sql), await readAliases(sql)];
  const codes = operators.map((one) => one.operator);
  return codeFaults(described, "operators", (code) => {
    if (code === "" || codes.includes(code)) return null;
    const alias = aliases.find((one) => one.alias === code);
    if (alias) return `${JSON.stringify(code)} is an alias of ${alias.operator}. Use ${alias.operator}, which orders carry.`;
    return `${JSON.stringify(code)} is not an operator of the catalogue. Known operators: ${codes.join(" ")}.`;
  });
}

/** All checks of a description that is tried without sending anything. */
export async function trialFaults(
  ctx: { readonly sql: Queryable; readonly egress: Egress },
  described: DescribedProvider,
): Promise<readonly Fault[]> {
  return [...descriptionFaults(described), ...(await catalogueFaults(ctx.sql, described)), ...literalAddressFaults(ctx.egress, described)];
}

type CodeFault = (code: string, theirs: JsonValue) => string | null;

/** Checks a map of our codes to the provider's. */
function codeFaults({ connector, settings }: DescribedProvider, field: "operators" | "circles", faultOf: CodeFault): readonly Fault[] {
  const found = describedCodes(connector, settings, field);
  if (found === null) return [];
  return Object.entries(found.codes).flatMap(([code, theirs]) => {
    const why = faultOf(code, theirs);
    return why === null ? [] : [{ path: code === "" ? found.path : `${found.path}.${code}`, message: why }];
  });
}

const ALLOW_HINT =
  "A provider in a private network must be allowed by the machine's administrator: CORPRAIL_PROVIDER_ALLOW (docs/providers.md).";

/** Checks the addresses of its requests. An unresolvable name is accepted, because every connection is checked again. */
export async function addressFaults(egress: Egress, described: DescribedProvider): Promise<readonly Fault[]> {
  const checked = await Promise.all(
    originPlaces(described).map(async ({ path, origin }) => ({
      path,
      found: await checkHost(new URL(origin), rulesOf(egress), egress.resolve),
    })),
  );
  return checked.flatMap(({ path, found }) => (found.kind === "refused" ? [{ path, message: `${found.why} ${ALLOW_HINT}` }] : []));
}

/** The same for hosts written as an IP address, which needs no name server. */
export function literalAddressFaults(egress: Egress, described: DescribedProvider): readonly Fault[] {
  return originPlaces(described).flatMap(({ path, origin }) => {
    const why = literalFault(new URL(origin), rulesOf(egress));
    return why === null ? [] : [{ path, message: `${why} ${ALLOW_HINT}` }];
  });
}

function rulesOf(egress: Egress) {
  return { ...egress, transport: "any" } as const;
}
