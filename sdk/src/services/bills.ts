import type { Calls } from "../calls.js";
import { successFromWire } from "../codec.js";
import { List, type ListOptions } from "../list.js";
import type { Order, Outcome } from "../outcome.js";
import type { CallOptions } from "../settings.js";
import { Transactions } from "../transactions.js";
import { type WaitOptions, waitForFinal } from "../wait-for-final.js";
import type { BillCategory, BillExtra, Biller, BillFetch, BillFetchInput, BillPayInput } from "./bills-types.js";
import type { ExactlyOne } from "./shared.js";

export type BillReference = ExactlyOne<"requestId" | "fetchRef">;

/** A fetch moves no money and is usually ready within seconds, so it is asked for more often than a transaction. */
const FETCH_PACE = { firstCheckAfterMs: 3_000, checkEveryMs: 5_000, giveUpAfterMs: 120_000 } as const;

export class Bills {
  readonly #calls: Calls;
  readonly #transactions: Transactions<BillPayInput, BillExtra, "due">;

  constructor(calls: Calls) {
    this.#calls = calls;
    const kind = { path: "/bills/pay", lookupPath: "/bills/pay", reference: "request_id", refund: "due" } as const;
    this.#transactions = new Transactions(calls, kind);
  }

  categories(options: ListOptions = {}): List<BillCategory> {
    return new List(this.#calls, "/bills/categories", {}, options);
  }

  billers(
    filter: { readonly category?: string | undefined; readonly search?: string | undefined; readonly billerId?: string | undefined } = {},
    options: ListOptions = {},
  ): List<Biller> {
    return new List(this.#calls, "/bills/billers", filter, options);
  }

  /** Asks the biller for what is due. Nothing is charged. */
  async fetch(input: BillFetchInput, options: CallOptions = {}): Promise<BillFetch> {
    return readFetch((await this.#calls.post("/bills/fetch", input, options)).body);
  }

  async getFetch(reference: BillReference, options: CallOptions = {}): Promise<BillFetch> {
    return readFetch((await this.#calls.get("/bills/fetch", reference, options)).body);
  }

  /** Until a fetch is no longer pending; checks every few seconds, for two minutes unless set. */
  async waitForFetch(reference: BillReference, options: WaitOptions = {}): Promise<BillFetch> {
    const ask = async () => {
      const bill = await this.getFetch(reference, options);
      return { bill, final: bill.status !== "pending" };
    };
    return (await waitForFinal(this.#calls, "GET /bills/fetch", ask, { ...FETCH_PACE, ...options }, null)).bill;
  }

  /** Pays a bill. Calling it again with the same input is safe. */
  async pay(input: BillPayInput, options: CallOptions = {}): Promise<Outcome<BillExtra>> {
    return await this.#transactions.create(input, options);
  }

  async getPayment(reference: BillReference, options: CallOptions = {}): Promise<Order<BillExtra>> {
    return await this.#transactions.get(reference, options);
  }

  async waitForFinal(reference: BillReference, options: WaitOptions = {}): Promise<Order<BillExtra>> {
    return await this.#transactions.waitForFinal(reference, options);
  }

  async payAndSettle(input: BillPayInput, options: WaitOptions = {}): Promise<Outcome<BillExtra>> {
    return await this.#transactions.createAndSettle(input, options);
  }
}

function readFetch(body: Readonly<Record<string, unknown>>): BillFetch {
  return successFromWire(body) as BillFetch;
}
