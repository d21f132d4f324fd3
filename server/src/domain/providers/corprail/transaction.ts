import type { TransactionName } from "@corprail/connector";
import { z } from "zod";
import type { JsonObject } from "../../../platform/core/strict-json.ts";
import type { Finding, Outcome, ProviderRequest } from "../connector.ts";
import type { Session } from "./client.ts";

/** How a transaction is sent, and where its status is found. */
export type CorprailTransaction = {
  readonly statusPath: string;
  readonly referenceName: "urid" | "request_id";
  /** The request to send, or why it cannot be written. Nothing of the transaction is sent here. */
  readonly write: (session: Session, request: ProviderRequest) => Promise<Written | Unsent>;
  /** The service's own part of a success; the connector checks it against the operation's result schema. */
  readonly result?: (body: JsonObject) => unknown;
  /** Decides what a status reply means when the common fields do not say it all. */
  readonly correct?: (finding: Finding, body: JsonObject, request: ProviderRequest) => Finding;
  readonly credit?: boolean;
};

export type Transactions = { readonly [Name in TransactionName]?: CorprailTransaction };

export type Written = { readonly kind: "written"; readonly path: string; readonly body: JsonObject };
type Unsent = Extract<Outcome, { readonly kind: "not_sent" }>;

export function written(path: string, body: JsonObject): Written {
  return { kind: "written", path, body };
}

/** The order lacks something that the other installation needs. */
export function unwritable(why: string): Unsent {
  return { kind: "not_sent", why, fault: "order", failure: "unavailable" };
}

/** Reads what the service added to the order; null when a value is missing. */
export function detailsOf<Schema extends z.ZodType>(request: ProviderRequest, schema: Schema): z.output<Schema> | null {
  const details = schema.safeParse(request.details ?? {});
  return details.success ? details.data : null;
}

export const filled = z.string().min(1);
