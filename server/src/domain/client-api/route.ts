import type { z } from "zod";
import type { Money } from "../../platform/core/money.ts";
import type { JsonObject, JsonValue } from "../../platform/core/strict-json.ts";
import type { Account } from "../accounts/account.ts";
import type { Refusal, RefusalName } from "../shared/refusals.ts";

/**
 * What a route is to the gate. A transaction makes an order; a lookup finds one again and stays open
 * while its service is switched off; everything else is plain.
 */
export type RouteKind = "transaction" | "lookup" | "plain";

export type Call<Input> = {
  readonly account: Account;
  /** The validated body of a POST, the validated query of a GET, with the path's parameter in either. */
  readonly input: Input;
  readonly requestId: string;
};

/** A transaction as its client sees it. */
export type OrderAnswer = {
  readonly kind: "order";
  readonly state: "pending" | "SUCCESS" | "FAILED";
  readonly orderId: string;
  readonly reference: string;
  readonly operatorRef: string | null;
  /** As the client wrote it. */
  readonly amountText: string;
  readonly target: string;
  /** Spendable now; null while the account is refused. */
  readonly balance: Money | null;
  readonly message: string;
  /** What the signed services say beside that. */
  readonly signed: SignedPart | undefined;
  /** Called once the reply has gone out, or could not. */
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

/** A transaction that was not made, for a reason that is not a mistake in the request. */
export type FailedAnswer = {
  readonly kind: "failed";
  readonly refusal: Refusal;
  /** Recharge files some reasons as ordinary failures, without `ok` and `error`. */
  readonly ordinary: boolean;
  readonly signedService?: boolean;
  readonly reference: string;
  readonly amountText: string;
  readonly target: string;
};

/** A transaction in a list: its own reply, and what the list says beside it. */
export type OrderItem = { readonly order: OrderAnswer; readonly more: JsonObject };

/** What a handler answers, before api/client/replies.ts gives it its shape on the wire. */
export type Answer =
  | Refusal
  | OrderAnswer
  | FailedAnswer
  | { readonly kind: "record"; readonly fields: JsonObject; readonly created?: boolean }
  | { readonly kind: "orders"; readonly items: readonly OrderItem[]; readonly next: string | null }
  | { readonly kind: "list"; readonly items: readonly JsonObject[]; readonly next: string | null };

export type ExampleValues = Readonly<Record<string, JsonValue | readonly JsonValue[]>>;

export type Route<Input = unknown> = {
  readonly method: "GET" | "POST";
  /** Below /api/corp/v1; the last segment may be a parameter, as in `/complaints/{ref}`. */
  readonly path: string;
  /** The service group it belongs to; anything but recharge must be switched on and signed. */
  readonly service: string;
  readonly kind: RouteKind;
  readonly bodyLimitBytes?: number;
  readonly summary: string;
  readonly input: z.ZodType<Input>;
  /** What a successful reply holds, for the reference. */
  readonly reply: z.ZodType;
  /** Its reasons to refuse beyond those of every route, for the reference. */
  readonly refusals?: readonly RefusalName[];
  /** What its fields show in the reference's examples, by name or as parent.name; of several values the first that a field admits. */
  readonly examples?: ExampleValues;
  /** Whether a reference, or another one in the body, has a transaction already: a retry is not failed because its service was switched off. */
  readonly knows?: (accountId: string, reference: string, body: JsonObject) => Promise<boolean>;
  readonly handle: (call: Call<Input>) => Promise<Answer> | Answer;
};

/** Keeps a route's input type while it is declared; the table holds routes of any input. */
export function route<Input>(definition: Route<Input>): Route {
  return definition as unknown as Route;
}

/** Gives routes the example values of all of them (`*`) and those of their own path. */
export function withExamples(routes: readonly Route[], values: Readonly<Record<string, ExampleValues>>): readonly Route[] {
  return routes.map((one) => ({ ...one, examples: { ...values["*"], ...values[one.path], ...one.examples } }));
}
