import type { z } from "zod";
import type { Money } from "../../platform/core/money.ts";
import type { JsonObject, JsonValue } from "../../platform/core/strict-json.ts";
import type { Account } from "../accounts/account.ts";
import type { Refusal, RefusalName } from "../shared/refusals.ts";

/**
 * How the gate treats a route. A transaction creates an order; a lookup finds one and stays available while its service is
 * switched off; everything else is plain.
 */
export type RouteKind = "transaction" | "lookup" | "plain";

export type Call<Input> = {
  readonly account: Account;
  /** The validated body of a POST or query of a GET, including the path's parameter. */
  readonly input: Input;
  readonly requestId: string;
};

/** A transaction as the client sees it. */
export type OrderAnswer = {
  readonly kind: "order";
  readonly state: "pending" | "SUCCESS" | "FAILED";
  readonly orderId: string;
  readonly reference: string;
  readonly operatorRef: string | null;
  /** As the client wrote it. */
  readonly amountText: string;
  readonly target: string;
  /** The available balance; null while the account is refused. */
  readonly balance: Money | null;
  readonly message: string;
  /** The additional fields of signed services. */
  readonly signed: SignedPart | undefined;
  /** Called when the reply was sent or could not be sent. */
  readonly onSent: ((answered: boolean) => void) | undefined;
};

export type SignedPart = {
  readonly service: string;
  readonly fee: Money;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** The service's own part, under its own name. */
  readonly block: JsonObject;
};

/** A transaction that was not created, for a reason other than an invalid request. */
export type FailedAnswer = {
  readonly kind: "failed";
  readonly refusal: Refusal;
  /** Recharge answers some reasons as ordinary failures, without `ok` and `error`. */
  readonly ordinary: boolean;
  readonly signedService?: boolean;
  readonly reference: string;
  readonly amountText: string;
  readonly target: string;
};

/** A transaction in a list: its reply and the list's additional fields. */
export type OrderItem = { readonly order: OrderAnswer; readonly more: JsonObject };

/** A handler's answer, before api/client/replies.ts formats it. */
export type Answer =
  | Refusal
  | OrderAnswer
  | FailedAnswer
  | { readonly kind: "record"; readonly fields: JsonObject; readonly created?: boolean }
  | (ListAnswer & { readonly kind: "orders"; readonly items: readonly OrderItem[] })
  | (ListAnswer & { readonly kind: "list"; readonly items: readonly JsonObject[] });

type ListAnswer = {
  readonly next: string | null;
  /** Months of the asked period whose records are in the archive and therefore missing in the list. */
  readonly archivedMonths?: readonly string[];
};

export type ExampleValues = Readonly<Record<string, JsonValue | readonly JsonValue[]>>;

export type Route<Input = unknown> = {
  readonly method: "GET" | "POST";
  /** Relative to /api/corp/v1; the last segment may be a parameter, as in `/complaints/{ref}`. */
  readonly path: string;
  /** The service group; every service except recharge must be enabled and signed. */
  readonly service: string;
  /** The scope that a limited token needs, if it is not the service; null for a route that every token may use. */
  readonly scope?: "complaints" | "account" | null;
  readonly kind: RouteKind;
  /**
   * The handler only reads, and little: it runs while the gate counts the request, and its answer is dropped if the gate refuses.
   */
  readonly readsAhead?: true;
  readonly bodyLimitBytes?: number;
  readonly summary: string;
  readonly input: z.ZodType<Input>;
  /** The schema of a successful reply, for the API reference. */
  readonly reply: z.ZodType;
  /** Refusals beyond those of every route, for the API reference. */
  readonly refusals?: readonly RefusalName[];
  /** Example values for the API reference, by field name or parent.name; the first value that fits a field is used. */
  readonly examples?: ExampleValues;
  /** Whether the reference already has a transaction, so that a retry is answered although its service is switched off. */
  readonly knows?: (accountId: string, reference: string, body: JsonObject) => Promise<boolean>;
  readonly handle: (call: Call<Input>) => Promise<Answer> | Answer;
};

/** Checks a route's input type at its definition; the route table contains routes of any input. */
export function route<Input>(definition: Route<Input>): Route {
  return definition as unknown as Route;
}

/** Adds the common example values (`*`) and those of each path to the routes. */
export function withExamples(routes: readonly Route[], values: Readonly<Record<string, ExampleValues>>): readonly Route[] {
  return routes.map((one) => ({ ...one, examples: { ...values["*"], ...values[one.path], ...one.examples } }));
}
