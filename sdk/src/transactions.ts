import type { Calls, QueryInput } from "./calls.js";
import { type JsonObject, toWire } from "./codec.js";
import { Creation, findOrder, findOwn, type TransactionKind } from "./create-transaction.js";
import { type CustomerRefund, NotFoundError, UsageError } from "./errors.js";
import type { Order, Outcome } from "./outcome.js";
import type { CallOptions } from "./settings.js";
import { type WaitOptions, waitForFinal } from "./wait-for-final.js";

const REFERENCE = /^[A-Za-z0-9._:-]{1,64}$/;

/** The calls that every kind of transaction has; each service gives them their names. */
export class Transactions<Input extends object, Extra, Refund extends CustomerRefund> {
  readonly #calls: Calls;
  readonly #kind: TransactionKind<Refund>;

  constructor(calls: Calls, kind: TransactionKind<Refund>) {
    this.#calls = calls;
    this.#kind = kind;
  }

  async create(input: Input, options: CallOptions = {}): Promise<Outcome<Extra, Refund>> {
    const body = toWire(input) as JsonObject;
    const reference = body[this.#kind.reference];
    // Without it nothing could be retried or looked up.
    if (typeof reference !== "string" || !REFERENCE.test(reference)) {
      throw new UsageError(`${this.#kind.reference} must be 1 to 64 characters of A-Z a-z 0-9 . _ : -`);
    }
    return await new Creation<Extra, Refund>(this.#calls, this.#kind, body, options).run();
  }

  async get(query: QueryInput, options: CallOptions = {}): Promise<Order<Extra, Refund>> {
    return await findOrder<Extra, Refund>(this.#calls, this.#kind, query, options);
  }

  async waitForFinal(query: QueryInput, options: WaitOptions = {}): Promise<Order<Extra, Refund>> {
    const ask = () => this.get(query, options);
    return await waitForFinal<Order<Extra, Refund>>(this.#calls, `GET ${this.#kind.lookupPath}`, ask, options, null);
  }

  async createAndSettle(input: Input, options: WaitOptions = {}): Promise<Outcome<Extra, Refund>> {
    const first = await this.create(input, options);
    if (first.final) return first;
    const ask = (last: Outcome<Extra, Refund> | null) => this.#ask(input, last, options);
    return await waitForFinal<Outcome<Extra, Refund>>(this.#calls, `POST ${this.#kind.path}`, ask, options, first);
  }

  // What was never answered and is not there was lost on the way: the same reference makes sending it again safe.
  async #ask(input: Input, last: Outcome<Extra, Refund> | null, options: WaitOptions): Promise<Outcome<Extra, Refund>> {
    try {
      return await findOwn<Extra, Refund>(this.#calls, this.#kind, toWire(input) as JsonObject, options);
    } catch (error) {
      if (last?.outcome !== "unknown" || !(error instanceof NotFoundError)) throw error;
      return await this.create(input, options);
    }
  }
}
