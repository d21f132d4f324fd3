import { randomBytes } from "node:crypto";
import {
  QUERIES,
  type QueryInput,
  type QueryName,
  type QueryResult,
  type QueryValue,
  TRANSACTIONS,
  type TransactionName,
  transactionOf,
} from "@corprail/connector";
import { z } from "zod";
import type { Clock } from "../../../platform/core/clock.ts";
import { formatMoney } from "../../../platform/core/money.ts";
import type { JsonObject } from "../../../platform/core/strict-json.ts";
import type { Connector, Finding, Outcome, ProviderRequest, Recorder, Unsuitable } from "../connector.ts";
import { secretMask } from "../masking/mask-secrets.ts";
import { type CreateWire, createWire, type Egress, type Evidence } from "../wire/exchange.ts";
import { aepsQueries, aepsTransactions } from "./aeps.ts";
import { type AadhaarCipher, createAadhaarCipher } from "./aeps-key.ts";
import { type Queries, unavailable } from "./ask.ts";
import { billQueries, billTransactions } from "./bills.ts";
import { busQueries, busTransactions } from "./bus.ts";
import { type ClientDependencies, type CorprailSecrets, createSession } from "./client.ts";
import { complaintQueries } from "./complaints.ts";
import { corprailOperations } from "./operations.ts";
import { callbackReader } from "./read-callback.ts";
import { type Expected, findingOfAsk, outcomeOfSend } from "./read-reply.ts";
import { rechargeQueries, rechargeTransactions, remoteOperatorCode } from "./recharge.ts";
import type { CorprailSettings } from "./settings.ts";
import type { CorprailTransaction, Transactions } from "./transaction.ts";
import { transferQueries, transferTransactions } from "./transfers.ts";

export type CorprailDependencies = {
  readonly settings: CorprailSettings;
  readonly secrets: CorprailSecrets;
  readonly clock: Clock;
  readonly egress: Egress;
  /** Fetches the other installation's key by default. */
  readonly cipher?: AadhaarCipher;
  readonly createWire?: CreateWire | undefined;
  /** Nonces are made of it. */
  readonly randomBytes?: ClientDependencies["randomBytes"] | undefined;
};

type Open = {
  readonly settings: CorprailSettings;
  readonly operations: Connector["operations"];
  readonly client: ClientDependencies;
  readonly transactions: Transactions;
  readonly queries: Queries;
};

/** A connector to another installation of this service through its signed client API. Our reference is its urid or request_id. */
export function createCorprailConnector(deps: CorprailDependencies): Connector {
  const { settings, secrets, clock } = deps;
  const { timeouts, quiet_ms: quietMilliseconds } = settings;
  const wire = (deps.createWire ?? createWire)({
    connectMilliseconds: timeouts.connect_ms,
    wholeMilliseconds: timeouts.whole_ms,
    egress: deps.egress,
    mask: secretMask([secrets.token, secrets.signingSecret, secrets.callbackSecret]),
    now: () => clock.now(),
  });
  const cipher = deps.cipher ?? createAadhaarCipher(clock);
  const open: Open = {
    settings,
    operations: corprailOperations(settings.services),
    client: { origin: new URL(settings.base_url).origin, secrets, clock, wire, randomBytes: deps.randomBytes ?? randomBytes },
    transactions: {
      ...rechargeTransactions(settings),
      ...billTransactions,
      ...transferTransactions,
      ...busTransactions,
      ...aepsTransactions(cipher),
    },
    queries: {
      ...rechargeQueries(settings),
      ...billQueries,
      ...transferQueries,
      ...busQueries,
      ...aepsQueries(cipher),
      ...complaintQueries,
    },
  };
  return {
    operations: open.operations,
    unsuitable: (request) => unsuitable(open, request),
    send: (request, signal, record) => send(open, request, signal, record),
    ask: (request, signal, record) => ask(open, request, signal, record),
    query: (name, input, signal, record) => query(open, name, input, signal, record),
    quietMilliseconds,
    // An AEPS transaction may have to ask for the encryption key first.
    timeoutMilliseconds: 2 * timeouts.whole_ms,
    readCallback: callbackReader({ token: secrets.token, callbackSecret: secrets.callbackSecret }, clock),
    close: () => wire.close(),
  };
}

async function send(open: Open, request: ProviderRequest, signal: AbortSignal, record?: Recorder): Promise<Outcome> {
  const against = unsuitable(open, request);
  const found = against ? null : transactionFor(open, request);
  if (against || !found) return { kind: "not_sent", fault: "order", ...(against ?? notServed(request)) };
  const session = createSession(open.client, "transaction", signal, evidenceOf(found.name, request, record));
  const call = await found.transaction.write(session, request);
  if (call.kind !== "written") return call;
  const replied = await session.post(call.path, call.body);
  return replied.kind === "answered" ? outcomeOfSend(replied.reply, found.expected) : replied;
}

async function ask(open: Open, request: ProviderRequest, signal: AbortSignal, record?: Recorder): Promise<Finding> {
  // A service that is no longer used still has its earlier orders there.
  const found = transactionFor(open, request);
  if (!found) return { kind: "unknown", why: notServed(request).why };
  const { statusPath, referenceName, correct } = found.transaction;
  const session = createSession(open.client, "transaction", signal, evidenceOf(`${found.name}.status`, request, record));
  const replied = await session.get(statusPath, [[referenceName, request.reference]]);
  // A status query that could not be sent says nothing about the order.
  if (replied.kind !== "answered") return { ...replied, kind: "unknown", why: `could not ask: ${replied.why}` };
  const finding = findingOfAsk(replied.reply, found.expected);
  return correct ? correct(finding, replied.reply.body ?? {}, request) : finding;
}

async function query<Name extends QueryName>(
  open: Open,
  name: Name,
  input: QueryInput<Name>,
  signal: AbortSignal,
  record?: Recorder,
): Promise<QueryResult<QueryValue<Name>>> {
  const run = open.queries[name];
  if (!run || !open.operations.has(name)) return unavailable(`this connector does not do ${name}`);
  try {
    const result = await run(createSession(open.client, "query", signal, { operation: name, record }), input);
    return result.kind === "answered" ? checked(name, result.value) : result;
  } catch {
    // The error is not repeated, because it may contain sensitive input.
    return unavailable(`${name} failed in our connector`);
  }
}

// The same table with each value's type by its name.
const SCHEMAS: { readonly [Name in QueryName]: { readonly value: z.ZodType<QueryValue<Name>> } } = QUERIES;

function checked<Name extends QueryName>(name: Name, value: unknown): QueryResult<QueryValue<Name>> {
  const read = SCHEMAS[name].value.safeParse(value);
  if (read.success) return { kind: "answered", value: read.data };
  return unavailable(`the reply has no valid ${read.error.issues[0]?.path.join(".") || "format"}`);
}

function evidenceOf(operation: string, { reference, target, amount }: ProviderRequest, record: Recorder | undefined): Evidence {
  return { operation, record, readable: [reference, target, formatMoney(amount)] };
}

type Found = { readonly name: TransactionName; readonly transaction: CorprailTransaction; readonly expected: Expected };

function transactionFor(open: Open, { service, operation, reference, amount }: ProviderRequest): Found | null {
  const name = transactionOf(service, operation);
  const transaction = name === null ? undefined : open.transactions[name];
  if (name === null || !transaction) return null;
  const result = (body: JsonObject) => {
    const read = TRANSACTIONS[name].result.safeParse(transaction.result?.(body));
    return read.success ? jsonObject.parse(read.data) : null;
  };
  return { name, transaction, expected: { reference, service, amount, credit: transaction.credit ?? false, result } };
}

const jsonObject = z.record(z.string(), z.json());

function unsuitable(open: Open, request: ProviderRequest): Unsuitable | null {
  const name = transactionOf(request.service, request.operation);
  if (name === null || !open.operations.has(name)) return notServed(request);
  if (request.service !== "recharge" || remoteOperatorCode(open.settings, request.operator) !== null) return null;
  return { why: `this provider has no code for the operator ${request.operator}`, failure: "unavailable" };
}

function notServed({ service, operation }: ProviderRequest): Unsuitable {
  return { why: `this connector does not serve ${[service, operation].filter((part) => part !== "").join(" ")}`, failure: "unavailable" };
}
