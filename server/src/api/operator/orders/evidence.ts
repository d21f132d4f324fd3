import type { z } from "zod";
import { appendAudit } from "../../../domain/audit/append.ts";
import { type ExchangeRow, type ProviderRefRow, readExchanges, readProviderRefs } from "../../../domain/orders/attempts/store.ts";
import { readHistory } from "../../../domain/orders/queries/read-history.ts";
import { findById, type OrderKey } from "../../../domain/orders/store.ts";
import { indiaDateTime } from "../../../platform/core/india-time.ts";
import { formatMoney } from "../../../platform/core/money.ts";
import type { Sql } from "../../../platform/db/connection.ts";
import type { OperatorApiDependencies } from "../dependencies.ts";
import { orderView } from "./order-view.ts";
import type { evidenceOutput, exchangeOutput } from "./outputs.ts";

type EvidenceFields = z.output<typeof evidenceOutput>;
export type AttemptEvidence = Pick<EvidenceFields["attempts"][number], "provider_ref" | "cost" | "balance" | "exchanges">;

/** Reads what was said with providers; the returned function gives the part of one attempt. */
export async function readEvidence(sql: Sql, order: OrderKey): Promise<(attempt: number) => AttemptEvidence> {
  const [exchanges, refs] = await Promise.all([readExchanges(sql, order), readProviderRefs(sql, order)]);
  return (attempt) => ({
    ...factFields(refs.find((ref) => ref.attempt === attempt)),
    exchanges: exchanges.filter((exchange) => exchange.attempt === attempt).map(exchangeFields),
  });
}

function factFields(ref: ProviderRefRow | undefined): Omit<AttemptEvidence, "exchanges"> {
  const amount = (units: bigint | null | undefined) => (units == null ? null : formatMoney(units));
  return { provider_ref: ref?.provider_ref ?? null, cost: amount(ref?.cost), balance: amount(ref?.balance) };
}

function exchangeFields({ operation, at, milliseconds, request, reply, problem }: ExchangeRow): z.output<typeof exchangeOutput> {
  return { operation, at: indiaDateTime(at.getTime()), milliseconds, request, reply, problem };
}

/** Exports an order's evidence for a dispute, and records who did it. Null if there is no such order. */
export async function exportEvidence(deps: OperatorApiDependencies, actor: string, orderId: string): Promise<EvidenceFields | null> {
  const order = await findById(deps.sql, orderId);
  if (!order) return null;
  const [history, evidenceOf] = await Promise.all([readHistory(deps.sql, order), readEvidence(deps.sql, order)]);
  const attempts = orderView(order, history).attempts.map((attempt) => ({ ...attempt, ...evidenceOf(attempt.attempt) }));
  const now = deps.clock.now();
  const details = { exchanges: attempts.reduce((sum, { exchanges }) => sum + exchanges.length, 0) };
  const subject = { kind: "order", id: orderId } as const;
  await deps.sql.begin((tx) => appendAudit(tx, new Date(now), { actor, action: "order.evidence_exported", subject, details }));
  return {
    order_id: orderId,
    service: order.service,
    operator: order.operator,
    account: order.target,
    amount: formatMoney(order.amount),
    status: order.state,
    operator_ref: order.operatorRef,
    created_at: indiaDateTime(order.createdAt),
    exported_at: indiaDateTime(now),
    attempts,
  };
}
