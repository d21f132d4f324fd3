import type { Calls } from "../calls.js";
import { successFromWire } from "../codec.js";
import { List, type ListOptions } from "../list.js";
import type { Order, Outcome } from "../outcome.js";
import type { CallOptions } from "../settings.js";
import { Transactions } from "../transactions.js";
import type { WaitOptions } from "../wait-for-final.js";
import type { ExactlyOne, Open } from "./shared.js";

export type RechargeInput = {
  /** Your own reference, unique for ever: 1 to 64 characters of A-Z a-z 0-9 . _ : - */
  readonly urid: string;
  readonly account: string;
  readonly operator: string;
  /** A decimal text such as `"199.00"`. */
  readonly amount: string;
  readonly circle?: string | undefined;
};

export type RechargeReference = ExactlyOne<"urid" | "orderId">;

export type OperatorKind = Open<"mobile_prepaid" | "mobile_postpaid" | "dth">;

export type Operator = {
  readonly operator: string;
  readonly name: string;
  readonly kind: OperatorKind;
  readonly accountLabel: string;
  readonly accountPattern: string;
  readonly accountExample: string;
  readonly minAmount: string;
  readonly maxAmount: string;
  readonly denominations: readonly string[];
  readonly status: Open<"up" | "slow" | "down" | "off">;
  readonly successRate1h: number | null;
};

export type NumberLookup = { readonly operator: string; readonly circle: string; readonly ported: boolean; readonly source: string };

export type Plan = {
  readonly amount: string;
  readonly validity: string;
  readonly data: string;
  readonly talktime: string;
  readonly category: string;
  readonly description: string;
};

export class Recharge {
  readonly #calls: Calls;
  readonly #transactions: Transactions<RechargeInput, unknown, "due">;

  constructor(calls: Calls) {
    this.#calls = calls;
    this.#transactions = new Transactions(calls, { path: "/recharge", lookupPath: "/recharge", reference: "urid", refund: "due" });
  }

  /** Makes a recharge. Calling it again with the same input is safe: one urid makes one order. */
  async create(input: RechargeInput, options: CallOptions = {}): Promise<Outcome> {
    return await this.#transactions.create(input, options);
  }

  /** The current result, always authoritative over callbacks. Throws NotFoundError when there is none. */
  async get(reference: RechargeReference, options: CallOptions = {}): Promise<Order> {
    return await this.#transactions.get(reference, options);
  }

  /** Polls as the specification advises, until the result is final or `giveUpAfterMs` has passed. */
  async waitForFinal(reference: RechargeReference, options: WaitOptions = {}): Promise<Order> {
    return await this.#transactions.waitForFinal(reference, options);
  }

  /** `create`, and `waitForFinal` when the answer is not final. */
  async createAndSettle(input: RechargeInput, options: WaitOptions = {}): Promise<Outcome> {
    return await this.#transactions.createAndSettle(input, options);
  }

  operators(filter: { readonly kind?: OperatorKind | undefined } = {}, options: ListOptions = {}): List<Operator> {
    return new List(this.#calls, "/operators", filter, options);
  }

  /** The operator and circle of a mobile number. */
  async lookup(input: { readonly account: string }, options: CallOptions = {}): Promise<NumberLookup> {
    return successFromWire((await this.#calls.get("/lookup", input, options)).body) as NumberLookup;
  }

  plans(input: { readonly operator: string; readonly circle?: string | undefined }, options: ListOptions = {}): List<Plan> {
    return new List(this.#calls, "/plans", input, options);
  }
}
