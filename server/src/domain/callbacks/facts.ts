import type { Money } from "../../platform/core/money.ts";

/** The content of a status callback (spec, Events, status callbacks). */
export type StatusFacts = {
  readonly kind: "status";
  readonly orderId: string;
  readonly urid: string;
  readonly status: string;
  readonly amount: Money;
  /** The number or account the order was for. */
  readonly target: string;
  readonly operatorRef: string | null;
};

/** The content of a complaint callback (spec, Events, complaint callbacks). */
export type ComplaintFacts = {
  readonly kind: "complaint";
  readonly complaintRef: string;
  readonly orderId: string;
  readonly urid: string;
  readonly status: string;
  readonly refundAmount: Money;
  readonly reason: string;
  /** Milliseconds since 1970. */
  readonly resolvedAt: number;
  readonly isTest: boolean;
};

export type Facts = StatusFacts | ComplaintFacts;
export type CallbackKind = Facts["kind"];
export type CallbackVersion = 2 | 3;
