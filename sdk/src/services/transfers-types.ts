import type { Order } from "../outcome.js";
import type { ExactlyOne, Open, SignedExtra } from "./shared.js";

export type Sender = {
  readonly mobile: string;
  readonly name: string;
  readonly status: Open<"OTP_PENDING" | "VERIFIED" | "BLOCKED">;
  readonly limitMonth: string;
  readonly usedMonth: string;
  readonly availableMonth: string;
};

export type SenderInput = {
  readonly requestId: string;
  readonly mobile: string;
  readonly firstName: string;
  readonly lastName?: string | undefined;
  readonly pincode: string;
  /** The sender's own consent. */
  readonly consent: "Y";
};

export type SenderOtpInput = { readonly mobile: string; readonly otpRef: string };
export type SenderVerifyInput = SenderOtpInput & { readonly otp: string };

export type Beneficiary = {
  readonly beneficiaryId: string;
  readonly name: string;
  readonly bankName: string;
  readonly accountMasked: string;
  readonly ifsc: string;
  readonly verified: boolean;
  /** As the bank has it; empty until a penny drop has succeeded. */
  readonly verifiedName: string;
  readonly status: Open<"OTP_PENDING" | "ACTIVE" | "DELETED">;
};

export type BeneficiaryInput = {
  readonly requestId: string;
  /** The sender's mobile. */
  readonly sender: string;
  readonly name: string;
  readonly account: string;
  readonly ifsc: string;
  readonly mobile?: string | undefined;
};

export type BeneficiaryOtpInput = { readonly beneficiaryId: string; readonly otpRef: string; readonly otp: string };

/** The penny drop is an order of its own: it costs a fee, is final in its reply and sends no callback. */
export type AccountCheck = Order<
  SignedExtra & {
    readonly verifiedName: string;
    readonly accountStatus: Open<"ACTIVE" | "INVALID" | "UNKNOWN">;
    /** How alike the two names are, from 0 to 100. */
    readonly nameMatchScore: string;
    readonly utr: string;
  }
>;

export type TransferMode = Open<"IMPS" | "NEFT">;

export type TransferBank = {
  readonly bank: string;
  readonly name: string;
  readonly ifscPrefix: string;
  readonly modes: readonly TransferMode[];
  readonly status: Open<"up" | "down">;
};

export type QuoteInput = {
  readonly requestId: string;
  readonly sender: string;
  readonly beneficiaryId: string;
  readonly amount: string;
  readonly mode?: TransferMode | undefined;
};

export type TransferQuote = {
  readonly transferRef: string;
  readonly fee: string;
  readonly total: string;
  readonly limitLeft: string;
  /** Unix seconds: 5 minutes from the quote. The sender gets an OTP for it. */
  readonly validUntil: number;
};

export type TransferInput = { readonly requestId: string; readonly transferRef: string; readonly otp: string };

export type TransferReference = ExactlyOne<"requestId" | "transferRef" | "orderId">;

export type TransferExtra = SignedExtra & {
  readonly transfer: {
    readonly mode: TransferMode;
    readonly beneficiaryId: string;
    readonly beneficiaryName: string;
    readonly accountMasked: string;
    readonly ifsc: string;
    /** The bank's reference; empty until there is one. */
    readonly utr: string;
    readonly sender: string;
    readonly refundStatus: Open<"none" | "refunded">;
  };
};
