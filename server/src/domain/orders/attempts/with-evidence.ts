import type { Finding, ProviderExchange, Recorder } from "../../providers/connector.ts";
import { parseBalance } from "../../providers/health/balances.ts";
import type { OrdersContext } from "../context.ts";
import type { Order } from "../order.ts";
import type { AttemptRecord, KeptExchange, ProviderFacts } from "./store.ts";

// A connector that takes more steps than this for one operation is at fault; the rest is not kept.
const MAX_EXCHANGES = 20;
const LONGEST_REF = 200;

// A batch has up to 500 orders, so this bounds the text of its evidence to some megabytes.
const LARGEST_IN_BATCH = 8_192;

type RecordingContext = Pick<OrdersContext, "attempts" | "balances" | "clock" | "ids">;
type OfOrder = Pick<Order, "accountId" | "orderId" | "attempt" | "provider">;

export type EvidenceOptions<Found> = {
  /** Whether the exchanges are kept; what the provider told of the order always is. */
  readonly keeps?: (finding: Found) => boolean;
};

/**
 * Calls a provider and returns what was said, to be written with the change that the outcome leads to: evidence, the provider's
 * id, cost and balance are durable when the outcome becomes visible. Large evidence is written at once, and null is returned.
 */
export async function callWithEvidence<Found extends Finding>(
  ctx: RecordingContext,
  order: OfOrder,
  call: (record: Recorder) => Promise<Found>,
): Promise<{ readonly finding: Found; readonly evidence: AttemptRecord | null }> {
  const exchanges: ProviderExchange[] = [];
  const finding = await call(recorderInto(exchanges));
  const evidence = recordOf(ctx, order, finding, exchanges);
  if (evidence === null || sizeOf(evidence) <= LARGEST_IN_BATCH) return { finding, evidence };
  await ctx.attempts.write(evidence);
  return { finding, evidence: null };
}

/**
 * Calls a provider and writes what was said before anybody acts on it, for queries, which often change nothing. A provider
 * that reports nothing costs nothing.
 */
export async function withEvidence<Found extends Finding>(
  ctx: RecordingContext,
  order: OfOrder,
  call: (record: Recorder) => Promise<Found>,
  { keeps }: EvidenceOptions<Found> = {},
): Promise<Found> {
  const exchanges: ProviderExchange[] = [];
  const finding = await call(recorderInto(exchanges));
  await writeFinding(ctx, order, finding, keeps === undefined || keeps(finding) ? exchanges : []);
  return finding;
}

/** Writes what a finding says beside its outcome, with the exchanges that led to it. */
export async function writeFinding(
  ctx: RecordingContext,
  order: OfOrder,
  finding: Finding,
  exchanges: readonly ProviderExchange[] = [],
): Promise<void> {
  const record = recordOf(ctx, order, finding, exchanges);
  if (record !== null) await ctx.attempts.write(record);
}

function recorderInto(exchanges: ProviderExchange[]): Recorder {
  return (exchange) => {
    if (exchanges.length < MAX_EXCHANGES) exchanges.push(exchange);
  };
}

/** What is to be written of a provider's call; null if there is nothing. The provider's balance is noted. */
function recordOf(ctx: RecordingContext, order: OfOrder, finding: Finding, exchanges: readonly ProviderExchange[]): AttemptRecord | null {
  const facts = factsOf(finding);
  const { accountId, orderId, attempt, provider } = order;
  const at = ctx.clock.now();
  if (facts?.balance != null) ctx.balances.note(provider, facts.balance, at);
  if (finding.kind === "declined" && finding.decline === "float") ctx.balances.noteFloatDecline(provider, at);
  if (facts === null && exchanges.length === 0) return null;
  const kept = exchanges.map((exchange) => withId(exchange, ctx.ids.entry(exchange.startedAt)));
  return { accountId, orderId, attempt, provider, exchanges: kept, facts, at };
}

function sizeOf({ exchanges }: AttemptRecord): number {
  return exchanges.reduce((sum, { request, reply, problem }) => sum + request.length + (reply ?? "").length + (problem ?? "").length, 0);
}

// Written out, because a spread takes several times as long, and every exchange of every order comes here.
function withId({ operation, startedAt, milliseconds, request, reply, problem }: ProviderExchange, id: string): KeptExchange {
  return { id, operation, startedAt, milliseconds, request, reply, problem };
}

function factsOf(finding: Finding): ProviderFacts | null {
  if (finding.kind === "not_found") return null;
  const { providerRef = "", cost, balance } = finding;
  // PostgreSQL cannot store a NUL character.
  const shown = providerRef.replace(/\p{Cc}/gu, "").slice(0, LONGEST_REF);
  const facts = {
    providerRef: shown === "" ? null : shown,
    cost: cost === undefined ? null : parseBalance(cost),
    balance: balance === undefined ? null : parseBalance(balance),
  };
  return facts.providerRef === null && facts.cost === null && facts.balance === null ? null : facts;
}
