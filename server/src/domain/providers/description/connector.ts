import { randomBytes, randomUUID } from "node:crypto";
import {
  isQuery,
  isTransaction,
  type OperationName,
  type QueryInput,
  type QueryName,
  type QueryResult,
  type QueryValue,
  transactionOf as transactionNameOf,
} from "@corprail/connector";
import type { Clock } from "../../../platform/core/clock.ts";
import type { JsonObject } from "../../../platform/core/strict-json.ts";
import type { Connector, OperationPolicy, PollingPolicy, ProviderMessage, ProviderRequest, Shadow, Unsuitable } from "../connector.ts";
import { cleaner } from "../masking/cleaner.ts";
import type { CreateWire, Egress } from "../wire/exchange.ts";
import { readCallback } from "./callbacks/read-callback.ts";
import { replyTo } from "./callbacks/reply.ts";
import type { Description } from "./definition.ts";
import type { CallbackDefinition } from "./language/callbacks.ts";
import type { TransactionDefinition } from "./language/operations.ts";
import { parsePath } from "./read/path.ts";
import type { Random, Secrets } from "./request/scope.ts";
import { standInToken } from "./request/stand-in-token.ts";
import type { Engine } from "./run/engine.ts";
import { createLogin } from "./run/login.ts";
import { applies, build } from "./run/perform-step.ts";
import { type Plan, queryOf, queryPlan, sendPlan, transactionOf } from "./run/plan.ts";
import { runQuery } from "./run/query.ts";
import { readAgain, withShadow } from "./run/read-again.ts";
import { askTransaction, runOf, sendTransaction } from "./run/transaction.ts";
import { createTransport } from "./run/transport.ts";

export type DescriptionDependencies = {
  readonly definition: Description;
  readonly secrets: Secrets;
  readonly clock: Clock;
  readonly egress: Egress;
  readonly random?: Random;
  /** How requests are sent; over the network unless given. */
  readonly createWire?: CreateWire | undefined;
  /** What reads the answers again, for a candidate of this provider's description. */
  readonly shadowOf?: ((connector: Connector) => Shadow | null) | undefined;
  /** Computed values are written as their names, for a replay without the secrets that they are made of. */
  readonly hidesComputed?: boolean | undefined;
};

const RANDOM: Random = { bytes: (count) => randomBytes(count), uuid: () => randomUUID() };

/** A connector that is described by a JSON file instead of code (docs/providers.md). */
export function createDescriptionConnector(deps: DescriptionDependencies): Connector {
  const { definition, secrets, clock, egress, random = RANDOM, createWire, hidesComputed = false } = deps;
  const transport = createTransport({ definition, secrets, egress, now: () => clock.now(), createWire });
  const parts: Omit<Engine, "login"> = { definition, secrets, clock, random, hidesComputed, transport, clean: cleaner(secrets) };
  const standIn = definition.login === undefined ? null : standInToken(definition);
  const engine: Engine = { ...parts, login: definition.login === undefined ? null : createLogin(definition.login, parts) };
  const shadow = () => deps.shadowOf?.(connector) ?? null;
  const connector: Connector = {
    operations: operationsIn(definition),
    unsuitable: (request) => unsuitable(engine, request, standIn),
    // Returns the promise of what it calls: a further async function would cost every order a promise.
    send: (request, signal, record) => {
      const found = transactionFor(definition, request);
      if (!found) return Promise.resolve({ kind: "not_sent", why: "the description has no such operation", fault: "order" });
      return withShadow(engine, shadow(), { part: "send", request }, (own) =>
        sendTransaction(own, found.name, found.transaction, { request, signal, record }),
      );
    },
    ask: async (request, signal, record) => {
      const found = transactionFor(definition, request);
      if (!found) return { kind: "unknown", why: "could not ask: the description has no such operation", fault: "order" };
      return await withShadow(engine, shadow(), { part: "status", request }, (own) =>
        askTransaction(own, found.name, found.transaction, { request, signal, record }),
      );
    },
    query: async <Name extends QueryName>(
      name: Name,
      input: QueryInput<Name>,
      signal: AbortSignal,
      record?: Parameters<Connector["query"]>[3],
    ) => {
      const query = queryOf(definition, name);
      if (query === undefined) return { kind: "unavailable", why: `the description has no operation ${name}` };
      // The value was validated by the operation's own schema.
      return (await runQuery(engine, name, query, { input: input as JsonObject, signal, record })) as QueryResult<QueryValue<Name>>;
    },
    ...policies(definition),
    ...loginPart(engine),
    ...callbackPart(engine),
    readAgain: (call) => readAgain(engine, transactionFor(definition, call.request), call, standIn),
    close: () => transport.close(),
  };
  return connector;
}

/** The operations that a description covers. */
export function operationsIn(definition: Description): ReadonlySet<OperationName> {
  const names = Object.entries(definition.operations).filter(([, operation]) => operation !== undefined);
  return new Set(names.map(([name]) => name).filter((name): name is OperationName => isTransaction(name) || isQuery(name)));
}

function transactionFor(definition: Description, { service, operation }: ProviderRequest) {
  const name = transactionNameOf(service, operation);
  const transaction = name === null ? undefined : transactionOf(definition, name);
  return name === null || transaction === undefined ? null : { name, transaction };
}

const NEVER = new AbortController().signal;

/** Builds the first call without sending it. Values of later steps are not known yet. */
function unsuitable(engine: Engine, request: ProviderRequest, token: string | null): Unsuitable | null {
  const found = transactionFor(engine.definition, request);
  if (!found) return { why: "the description has no such operation", failure: "unavailable" };
  const run = runOf({ request, signal: NEVER, record: undefined }, true);
  const first = sendPlan(engine.definition, found.name, found.transaction).steps.find((step) => applies(step, run));
  if (first === undefined) return { why: "no step of the description applies to this order", failure: "unavailable" };
  const built = build(engine, first, run, token);
  return built.ok ? null : { why: built.why, failure: built.failure };
}

type Policies = Pick<
  Connector,
  "quietMilliseconds" | "timeoutMilliseconds" | "queryMilliseconds" | "referenceForm" | "polling" | "policyOf" | "balanceMilliseconds"
>;

function policies(definition: Description): Policies {
  const { polling, reference } = definition;
  const { balance_every_seconds: balance } = polling;
  const schedule = scheduleOf(polling);
  return {
    quietMilliseconds: polling.quiet_seconds * 1000,
    timeoutMilliseconds: longestSend(definition),
    queryMilliseconds: (name) => longestQuery(definition, name),
    ...(reference === undefined ? {} : { referenceForm: reference }),
    ...(balance === undefined ? {} : { balanceMilliseconds: balance * 1000 }),
    ...(schedule === undefined ? {} : { polling: schedule }),
    policyOf: ({ service, operation }) => operationPolicy(definition, service, operation),
  };
}

type Polling = NonNullable<TransactionDefinition["polling"]>;

function scheduleOf({ first_after_seconds: first, every_seconds: every }: Polling): PollingPolicy | undefined {
  if (first === undefined && every === undefined) return undefined;
  return { firstMilliseconds: (first ?? every ?? 0) * 1000, everyMilliseconds: (every ?? first ?? 0) * 1000 };
}

/** What an operation says itself; the rest is as the description says. */
function operationPolicy(definition: Description, service: string, operation: string): OperationPolicy {
  const name = transactionNameOf(service, operation);
  const { polling: own, idempotent } = (name === null ? undefined : transactionOf(definition, name)) ?? {};
  const schedule = own === undefined ? undefined : scheduleOf({ ...definition.polling, ...own });
  return {
    ...(schedule === undefined ? {} : { polling: schedule }),
    ...(own?.quiet_seconds === undefined ? {} : { quietMilliseconds: own.quiet_seconds * 1000 }),
    ...(idempotent === undefined ? {} : { resend: { afterMilliseconds: idempotent.resend_after_seconds * 1000, times: idempotent.times } }),
  };
}

/** The longest that a transaction can take. */
function longestSend(definition: Description): number {
  const limits = [...operationsIn(definition)].filter(isTransaction).map((name) => {
    const transaction = transactionOf(definition, name);
    return transaction ? longestRun(definition, sendPlan(definition, name, transaction)) : 0;
  });
  return Math.max(definition.timeouts.whole_seconds * 1000, ...limits);
}

/** The longest that one page of a query can take. */
function longestQuery(definition: Description, name: QueryName): number {
  const query = queryOf(definition, name);
  return query ? longestRun(definition, queryPlan(definition, name, query)) : 0;
}

/** Every step may log in first, and is repeated once if the token was refused. */
function longestRun({ login, timeouts }: Description, plan: Pick<Plan<unknown>, "steps" | "timeoutMilliseconds">): number {
  const { steps, timeoutMilliseconds } = plan;
  return steps.length * (login === undefined ? timeoutMilliseconds : 2 * (timeouts.whole_seconds * 1000 + timeoutMilliseconds));
}

function loginPart({ login }: Engine): Pick<Connector, "logIn"> {
  if (login === null) return {};
  return {
    logIn: async (record) => {
      const result = await login.renew(record);
      return result.ok ? null : result.why;
    },
  };
}

function callbackPart(engine: Engine): Pick<Connector, "readCallback" | "callbackKeyName" | "callbackReply"> {
  const { callbacks, callback_reply: reply } = engine.definition;
  if (callbacks.length === 0) return {};
  const key = callbacks.map(keyNameOf).find((name) => name !== undefined);
  return {
    readCallback: (message) => readCallback(engine, message),
    ...(key === undefined ? {} : { callbackKeyName: key }),
    ...(reply === undefined ? {} : { callbackReply: (message: ProviderMessage) => replyTo(engine, reply, message) }),
  };
}

/** The field to hide where staff see a message. A key inside a text is hidden with the whole text. */
function keyNameOf({ auth, read }: CallbackDefinition): string | undefined {
  if (auth.kind === "addresses" || auth.kind === "hint") return undefined;
  if (auth.query !== undefined || auth.kind !== "key") return auth.query;
  const path = auth.field ?? (auth.inner === undefined ? undefined : read?.inner?.at);
  return path === undefined ? undefined : parsePath(path)[0]?.steps.at(-1)?.name;
}
