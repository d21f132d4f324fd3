import type { Calls } from "../calls.js";
import { successFromWire } from "../codec.js";
import { NoAnswerError } from "../errors.js";
import { List, type ListOptions } from "../list.js";
import type { Order, Outcome } from "../outcome.js";
import { readOrder } from "../read-outcome.js";
import type { CallOptions } from "../settings.js";
import { Transactions } from "../transactions.js";
import type { WaitOptions } from "../wait-for-final.js";
import type {
  AccountCheck,
  Beneficiary,
  BeneficiaryInput,
  BeneficiaryOtpInput,
  QuoteInput,
  Sender,
  SenderInput,
  SenderOtpInput,
  SenderVerifyInput,
  TransferBank,
  TransferExtra,
  TransferInput,
  TransferQuote,
  TransferReference,
} from "./transfers-types.js";

type OtpSent = { readonly otpRef: string };

async function post<Result>(calls: Calls, path: string, input: object, options: CallOptions): Promise<Result> {
  return successFromWire((await calls.post(path, input, options)).body) as Result;
}

export class Senders {
  readonly #calls: Calls;

  constructor(calls: Calls) {
    this.#calls = calls;
  }

  /** The sender gets an OTP; `verify` takes it. */
  async create(input: SenderInput, options: CallOptions = {}): Promise<OtpSent & { readonly sender: Sender }> {
    return await post(this.#calls, "/transfers/senders", input, options);
  }

  async get(input: { readonly mobile: string }, options: CallOptions = {}): Promise<Sender> {
    const reply = await this.#calls.get("/transfers/senders", input, options);
    return (successFromWire(reply.body) as { readonly sender: Sender }).sender;
  }

  async verify(input: SenderVerifyInput, options: CallOptions = {}): Promise<Sender> {
    return (await post<{ readonly sender: Sender }>(this.#calls, "/transfers/senders/verify", input, options)).sender;
  }

  /** Sends the OTP again, after 30 seconds at the earliest. */
  async resendOtp(input: SenderOtpInput, options: CallOptions = {}): Promise<OtpSent> {
    return await post(this.#calls, "/transfers/senders/otp", input, options);
  }
}

export class Beneficiaries {
  readonly #calls: Calls;

  constructor(calls: Calls) {
    this.#calls = calls;
  }

  /** The sender gets an OTP; `verifyOtp` takes it. */
  async add(input: BeneficiaryInput, options: CallOptions = {}): Promise<OtpSent & { readonly beneficiary: Beneficiary }> {
    return await post(this.#calls, "/transfers/beneficiaries", input, options);
  }

  list(input: { readonly sender: string }, options: ListOptions = {}): List<Beneficiary> {
    return new List(this.#calls, "/transfers/beneficiaries", input, options);
  }

  async verifyOtp(input: BeneficiaryOtpInput, options: CallOptions = {}): Promise<Beneficiary> {
    return await this.#one("/transfers/beneficiaries/verify_otp", input, options);
  }

  /** Penny drop: asks the bank for the account's name. It costs a fee, once per `requestId`. */
  async verify(input: { readonly requestId: string; readonly beneficiaryId: string }, options: CallOptions = {}): Promise<AccountCheck> {
    const { body, httpStatus, requestId } = await this.#calls.post("/transfers/beneficiaries/verify", input, options);
    const order = readOrder<unknown, "due">(body, input.requestId, "due");
    if (order !== null) return order as AccountCheck;
    throw new NoAnswerError("The penny drop got a reply that is no transaction.", "unreadable", { httpStatus, requestId });
  }

  /** First step of deleting: the sender gets an OTP. */
  async requestDelete(input: { readonly beneficiaryId: string }, options: CallOptions = {}): Promise<OtpSent> {
    return await post(this.#calls, "/transfers/beneficiaries/delete", input, options);
  }

  async delete(input: BeneficiaryOtpInput, options: CallOptions = {}): Promise<Beneficiary> {
    return await this.#one("/transfers/beneficiaries/delete", input, options);
  }

  async #one(path: string, input: object, options: CallOptions): Promise<Beneficiary> {
    return (await post<{ readonly beneficiary: Beneficiary }>(this.#calls, path, input, options)).beneficiary;
  }
}

export class Transfers {
  readonly senders: Senders;
  readonly beneficiaries: Beneficiaries;
  readonly #calls: Calls;
  readonly #transactions: Transactions<TransferInput, TransferExtra, "due">;

  constructor(calls: Calls) {
    this.#calls = calls;
    this.senders = new Senders(calls);
    this.beneficiaries = new Beneficiaries(calls);
    const kind = { path: "/transfers", lookupPath: "/transfers", reference: "request_id", refund: "due" } as const;
    this.#transactions = new Transactions(calls, kind);
  }

  banks(options: ListOptions = {}): List<TransferBank> {
    return new List(this.#calls, "/transfers/banks", {}, options);
  }

  /** What a transfer will cost; the sender gets an OTP for it. */
  async quote(input: QuoteInput, options: CallOptions = {}): Promise<TransferQuote> {
    return await post(this.#calls, "/transfers/quote", input, options);
  }

  /** Sends the money quoted. Calling it again with the same input is safe. */
  async create(input: TransferInput, options: CallOptions = {}): Promise<Outcome<TransferExtra>> {
    return await this.#transactions.create(input, options);
  }

  async get(reference: TransferReference, options: CallOptions = {}): Promise<Order<TransferExtra>> {
    return await this.#transactions.get(reference, options);
  }

  async waitForFinal(reference: TransferReference, options: WaitOptions = {}): Promise<Order<TransferExtra>> {
    return await this.#transactions.waitForFinal(reference, options);
  }

  async createAndSettle(input: TransferInput, options: WaitOptions = {}): Promise<Outcome<TransferExtra>> {
    return await this.#transactions.createAndSettle(input, options);
  }
}
