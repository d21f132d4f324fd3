import type { Calls } from "../calls.js";
import { successFromWire } from "../codec.js";
import { NotFoundError } from "../errors.js";
import { List, type ListOptions } from "../list.js";
import type { CallOptions } from "../settings.js";
import { Transactions } from "../transactions.js";
import type { WaitOptions } from "../wait-for-final.js";
import type {
  AepsAuth,
  AepsBank,
  AepsExtra,
  AepsInput,
  AepsKey,
  AepsMoneyInput,
  AepsOrder,
  AepsOutcome,
  AepsReference,
  AuthInput,
  Outlet,
  OutletBiometricInput,
  OutletInput,
  OutletOtpInput,
} from "./aeps-types.js";

type Kind = "balance_enquiry" | "mini_statement" | "cash_withdrawal" | "aadhaar_pay";

function transactions<Input extends object>(calls: Calls, kind: Kind): Transactions<Input, AepsExtra, "not_due"> {
  return new Transactions(calls, {
    path: `/aeps/${kind}`,
    lookupPath: "/aeps/transactions",
    reference: "request_id",
    refund: "not_due",
    aepsType: kind,
  });
}

export class Outlets {
  readonly #calls: Calls;

  constructor(calls: Calls) {
    this.#calls = calls;
  }

  async create(input: OutletInput, options: CallOptions = {}): Promise<Outlet> {
    return await this.#outlet("/aeps/outlets", input, options);
  }

  list(options: ListOptions = {}): List<Outlet> {
    return new List(this.#calls, "/aeps/outlets", {}, options);
  }

  async get(input: { readonly outletId: string }, options: CallOptions = {}): Promise<Outlet> {
    const { items } = await new List<Outlet>(this.#calls, "/aeps/outlets", input, options).page();
    const [outlet] = items;
    if (outlet === undefined) throw new NotFoundError("There is no such outlet.", { error: "outlet_not_found" });
    return outlet;
  }

  async sendOtp(input: { readonly outletId: string }, options: CallOptions = {}): Promise<{ readonly otpRef: string }> {
    const reply = await this.#calls.post("/aeps/outlets/otp", input, options);
    return successFromWire(reply.body) as { readonly otpRef: string };
  }

  async verifyOtp(input: OutletOtpInput, options: CallOptions = {}): Promise<Outlet> {
    return await this.#outlet("/aeps/outlets/otp_verify", input, options);
  }

  async biometric(input: OutletBiometricInput, options: CallOptions = {}): Promise<Outlet> {
    return await this.#outlet("/aeps/outlets/biometric", input, options);
  }

  async #outlet(path: string, input: object, options: CallOptions): Promise<Outlet> {
    const reply = await this.#calls.post(path, input, options);
    return (successFromWire(reply.body) as { readonly outlet: Outlet }).outlet;
  }
}

export class Aeps {
  readonly outlets: Outlets;
  readonly #calls: Calls;
  readonly #balanceEnquiry: Transactions<AepsInput, AepsExtra, "not_due">;
  readonly #miniStatement: Transactions<AepsInput, AepsExtra, "not_due">;
  readonly #cashWithdrawal: Transactions<AepsMoneyInput, AepsExtra, "not_due">;
  readonly #aadhaarPay: Transactions<AepsMoneyInput, AepsExtra, "not_due">;

  constructor(calls: Calls) {
    this.#calls = calls;
    this.outlets = new Outlets(calls);
    this.#balanceEnquiry = transactions(calls, "balance_enquiry");
    this.#miniStatement = transactions(calls, "mini_statement");
    this.#cashWithdrawal = transactions(calls, "cash_withdrawal");
    this.#aadhaarPay = transactions(calls, "aadhaar_pay");
  }

  banks(options: ListOptions = {}): List<AepsBank> {
    return new List(this.#calls, "/aeps/banks", {}, options);
  }

  /** The key for `encryptAadhaar`. */
  async key(options: CallOptions = {}): Promise<AepsKey> {
    return successFromWire((await this.#calls.get("/aeps/key", {}, options)).body) as AepsKey;
  }

  async authenticate(input: AuthInput, options: CallOptions = {}): Promise<AepsAuth> {
    return successFromWire((await this.#calls.post("/aeps/auth", input, options)).body) as AepsAuth;
  }

  async balanceEnquiry(input: AepsInput, options: CallOptions = {}): Promise<AepsOutcome> {
    return await this.#balanceEnquiry.create(input, options);
  }

  async miniStatement(input: AepsInput, options: CallOptions = {}): Promise<AepsOutcome> {
    return await this.#miniStatement.create(input, options);
  }

  /** Hand over the cash only when the outcome is `succeeded`. */
  async cashWithdrawal(input: AepsMoneyInput, options: CallOptions = {}): Promise<AepsOutcome> {
    return await this.#cashWithdrawal.create(input, options);
  }

  async aadhaarPay(input: AepsMoneyInput, options: CallOptions = {}): Promise<AepsOutcome> {
    return await this.#aadhaarPay.create(input, options);
  }

  async cashWithdrawalAndSettle(input: AepsMoneyInput, options: WaitOptions = {}): Promise<AepsOutcome> {
    return await this.#cashWithdrawal.createAndSettle(input, options);
  }

  async aadhaarPayAndSettle(input: AepsMoneyInput, options: WaitOptions = {}): Promise<AepsOutcome> {
    return await this.#aadhaarPay.createAndSettle(input, options);
  }

  /** A transaction of any of the four kinds. */
  async getTransaction(reference: AepsReference, options: CallOptions = {}): Promise<AepsOrder> {
    return await this.#cashWithdrawal.get(reference, options);
  }

  async waitForFinal(reference: AepsReference, options: WaitOptions = {}): Promise<AepsOrder> {
    return await this.#cashWithdrawal.waitForFinal(reference, options);
  }
}
