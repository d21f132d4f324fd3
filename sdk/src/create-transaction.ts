import { type Calls, isUnanswered, isUnprocessed, postRequest, type QueryInput } from "./calls.js";
import type { JsonObject } from "./codec.js";
import {
  AbortedError,
  AccountRefusedError,
  CorprailError,
  CredentialError,
  type CustomerRefund,
  DuplicateReferenceError,
  InsufficientBalanceError,
  NoAnswerError,
  NotFoundError,
  RefusedError,
} from "./errors.js";
import type { Order, Outcome } from "./outcome.js";
import { readNotCreated, readOrder, unknownOutcome } from "./read-outcome.js";
import type { CallOptions } from "./settings.js";
import type { Answer } from "./wire.js";

/** How one kind of transaction is made and found again. */
export type TransactionKind<Refund extends CustomerRefund> = {
  readonly path: string;
  readonly lookupPath: string;
  readonly reference: "urid" | "request_id";
  /** What is owed to the customer when there is no transaction: AEPS never holds the customer's money. */
  readonly refund: Refund;
  /** One of the AEPS calls, which share a look-up and do not share their references. */
  readonly aepsType?: string;
};

type Found<Extra, Refund extends CustomerRefund> = Order<Extra, Refund> | "absent" | "unsure";

/** One transaction's course: attempts with the same bytes and reference, and look-ups wherever an answer proves nothing. */
export class Creation<Extra, Refund extends CustomerRefund> {
  readonly #calls: Calls;
  readonly #kind: TransactionKind<Refund>;
  readonly #options: CallOptions;
  readonly #body: JsonObject;
  readonly #urid: string;
  /** Why an attempt may have been carried out unseen. */
  #unanswered: CorprailError | null = null;

  constructor(calls: Calls, kind: TransactionKind<Refund>, body: JsonObject, options: CallOptions) {
    this.#calls = calls;
    this.#kind = kind;
    this.#body = body;
    this.#options = options;
    this.#urid = String(body[kind.reference]);
  }

  async run(): Promise<Outcome<Extra, Refund>> {
    const request = postRequest(this.#kind.path, this.#body);
    const most = this.#calls.maxRetries(this.#options);
    for (let retry = 1; ; retry += 1) {
      const result = this.#read(await this.#calls.attempt(request, this.#options));
      if (!(result instanceof CorprailError)) return result;
      if (!isUnprocessed(result) && !isUnanswered(result)) return await this.#refused(result, retry > 1);
      const settled = await this.#unclear(result);
      if (settled !== null) return settled;
      const again = retry <= most && (await this.#calls.pause(retry, result, this.#kind.path, this.#options));
      if (!again) return await this.#exhausted(result);
    }
  }

  #read(answer: Answer): Outcome<Extra, Refund> | CorprailError {
    if (answer.kind === "error") return answer.error;
    const { body, httpStatus, requestId } = answer;
    const outcome = readOrder<Extra, Refund>(body, this.#urid, this.#kind.refund) ?? readNotCreated(body, this.#urid, this.#kind.refund);
    if (outcome !== null) return outcome;
    const message = `POST ${this.#kind.path} got a reply that says neither what became of ${this.#urid} nor why.`;
    return new NoAnswerError(message, "unreadable", { httpStatus, requestId });
  }

  // A time-out or a 5xx says nothing about the transaction: ask, before sending it again.
  async #unclear(error: CorprailError): Promise<Order<Extra, Refund> | null> {
    if (!isUnanswered(error)) return null;
    this.#unanswered = error;
    const found = await this.#find({ ...this.#options, maxRetries: 0 });
    return typeof found === "string" ? null : found;
  }

  /**
   * Spec, Request signing, rule 4: after a refusal of a retry the first attempt may have gone through.
   * A 403 for an account reason comes only when the reference has a transaction already (Errors, cases that do not get failed).
   */
  async #refused(error: CorprailError, isRetry: boolean): Promise<Outcome<Extra, Refund>> {
    if (error instanceof DuplicateReferenceError) throw error;
    const found = isRetry || error instanceof AccountRefusedError ? await this.#find(this.#options) : "absent";
    if (typeof found !== "string") return found;
    const provesNothing = error instanceof CredentialError || error instanceof AccountRefusedError || found === "unsure";
    if (this.#unanswered !== null && provesNothing) return unknownOutcome(this.#urid, error);
    throw withRefund(error, !provesNothing && isAfterReferenceCheck(error) ? this.#kind.refund : "wait");
  }

  async #exhausted(error: CorprailError): Promise<Outcome<Extra, Refund>> {
    if (this.#unanswered === null) throw error;
    const found = await this.#find(this.#options);
    return typeof found === "string" ? unknownOutcome(this.#urid, this.#unanswered) : found;
  }

  async #find(options: CallOptions): Promise<Found<Extra, Refund>> {
    try {
      return await findOwn<Extra, Refund>(this.#calls, this.#kind, this.#body, options);
    } catch (error) {
      if (error instanceof AbortedError || error instanceof DuplicateReferenceError) throw error;
      return error instanceof NotFoundError ? "absent" : "unsure";
    }
  }
}

/** The order that a request made, by its reference. One of another request must not pass for it. */
export async function findOwn<Extra, Refund extends CustomerRefund>(
  calls: Calls,
  kind: TransactionKind<Refund>,
  body: JsonObject,
  options: CallOptions,
): Promise<Order<Extra, Refund>> {
  const urid = String(body[kind.reference]);
  const order = await findOrder<Extra, Refund>(calls, kind, { [kind.reference]: urid }, options);
  if (!isOfCall(order, kind.aepsType)) {
    throw new NoAnswerError(`GET ${kind.lookupPath} returned another operation's transaction for ${urid}.`, "unreadable");
  }
  const { amount, account } = body;
  const isOther = (amount !== undefined && plain(amount) !== plain(order.amount)) || (account !== undefined && account !== order.account);
  if (!isOther) return order;
  // The service itself would answer 409.
  const message = `${urid} already belongs to a transaction with other details.`;
  throw new DuplicateReferenceError(message, { error: "duplicate_reference", code: 124, urid, orderId: order.orderId });
}

// The newest of several calls is found, so that another's says nothing about this one.
function isOfCall(order: object, aepsType: string | undefined): boolean {
  const { aeps } = order as { readonly aeps?: { readonly type?: unknown } };
  return aepsType === undefined || aeps?.type === aepsType;
}

/** Amounts compare as money: 10.5 is 10.50. */
function plain(amount: unknown): string {
  const text = String(amount);
  if (!text.includes(".")) return text;
  let end = text.length;
  while (text[end - 1] === "0") end -= 1;
  return text.slice(0, text[end - 1] === "." ? end - 1 : end);
}

/**
 * Contract, section 2: the reference is looked at before balance, amount and the service's own rules. So these refusals
 * prove that it has no transaction. A 400 is answered before that look and proves nothing about an earlier call.
 */
function isAfterReferenceCheck(error: CorprailError): boolean {
  return error instanceof InsufficientBalanceError || error instanceof NotFoundError || error instanceof RefusedError;
}

/** Says of an error what its place in the transaction's course proves. */
function withRefund<Kind extends CorprailError>(error: Kind, customerRefund: CustomerRefund): Kind {
  return Object.assign(error, { customerRefund });
}

/** A transaction's current result. Throws NotFoundError when the reference has none. */
export async function findOrder<Extra, Refund extends CustomerRefund>(
  calls: Calls,
  kind: TransactionKind<Refund>,
  query: QueryInput,
  options: CallOptions,
): Promise<Order<Extra, Refund>> {
  const { body, httpStatus, requestId } = await calls.get(kind.lookupPath, query, options);
  const urid = query["urid"] ?? query["requestId"] ?? query["request_id"];
  const order = readOrder<Extra, Refund>(body, urid === undefined ? null : String(urid), kind.refund);
  if (order !== null) return order;
  throw new NoAnswerError(`GET ${kind.lookupPath} got a reply that is no transaction.`, "unreadable", { httpStatus, requestId });
}
