import { isQuery, isTransaction, QUERIES, type QueryInput, type QueryName, TRANSACTIONS } from "@corprail/connector";
import { z } from "zod";
import { parseMoney } from "../../../platform/core/money.ts";
import type { JsonObject } from "../../../platform/core/strict-json.ts";
import type { Connector, ProviderRequest } from "../connector.ts";
import type { OperationPart } from "./recording.ts";

/** An operation with everything that it needs, in the form of a recording. */
export type Performed = { readonly operation: string; readonly part: OperationPart; readonly input: JsonObject };

const transactionInput = z.strictObject({
  reference: z.string().min(1),
  operator: z.string(),
  target: z.string(),
  amount: z.string(),
  circle: z.string().nullable(),
  details: z.record(z.string(), z.json()).optional(),
  provider_ref: z.string().optional(),
});

export class InvalidInput extends Error {}

const NEVER = new AbortController().signal;

/** Carries an operation out once. Throws InvalidInput before anything is sent. */
export async function perform(connector: Connector, performed: Performed, now: number): Promise<JsonObject> {
  const { operation, part, input } = performed;
  if (part === "query") return plain(await query(connector, operation, input));
  const request = requestOf(performed, now);
  return plain(part === "send" ? await connector.send(request, NEVER) : await connector.ask(request, NEVER));
}

/** The order that a transaction is carried out for. */
export function requestOf({ operation, input }: Performed, now: number): ProviderRequest {
  if (!isTransaction(operation)) throw new InvalidInput(`${operation} is not a transaction.`);
  const read = transactionInput.safeParse(input);
  const amount = read.success ? parseMoney(read.data.amount) : null;
  if (!read.success || amount === null)
    throw new InvalidInput(`The input of ${operation} is not valid: ${read.error?.message ?? "amount"}`);
  const { reference, operator, target, circle, details, provider_ref: providerRef } = read.data;
  const { service, operation: operationOfService } = TRANSACTIONS[operation];
  return {
    ...{ reference, operator, target, amount, circle, service, operation: operationOfService, createdAt: now },
    ...(details === undefined ? {} : { details }),
    ...(providerRef === undefined ? {} : { providerRef }),
  };
}

async function query(connector: Connector, operation: string, input: JsonObject): Promise<object> {
  if (!isQuery(operation)) throw new InvalidInput(`${operation} is not a query.`);
  const read = QUERIES[operation].input.safeParse(input);
  if (!read.success) {
    const faults = read.error.issues.map((issue) => `${issue.path.join(".") || "input"}: ${issue.message}`);
    throw new InvalidInput(`The input of ${operation} is not valid: ${faults.join("; ")}`);
  }
  // The schema of the same operation has read it.
  return await connector.query(operation, read.data as QueryInput<QueryName> as never, NEVER);
}

function plain(value: object): JsonObject {
  return JSON.parse(JSON.stringify(value)) as JsonObject;
}
