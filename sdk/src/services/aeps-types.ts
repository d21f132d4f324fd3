import type { Order, Outcome } from "../outcome.js";
import type { ExactlyOne, Open, SignedExtra } from "./shared.js";

export type AepsKey = { readonly keyId: string; readonly publicKeyPem: string };
export type AepsBank = { readonly bankIin: string; readonly name: string; readonly status: string };

/** Decimal degrees, as texts. */
export type Place = { readonly latitude: string; readonly longitude: string };

export type OutletInput = Place & {
  readonly requestId: string;
  readonly mobile: string;
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly shopName: string;
  /** Four digits. */
  readonly shopType: string;
  readonly pan: string;
  /** Made by `encryptAadhaar`. */
  readonly aadhaarEnc: string;
  readonly address: { readonly line: string; readonly city: string; readonly stateCode: string; readonly pincode: string };
  readonly bankAccount: string;
  readonly ifsc: string;
  readonly device: { readonly model: string; readonly serial: string };
};

export type Outlet = {
  readonly outletId: string;
  readonly status: Open<"OTP_PENDING" | "BIOMETRIC_PENDING" | "ACTIVE" | "REKYC_REQUIRED" | "SUSPENDED" | "REJECTED">;
  readonly reason: string;
  readonly mobile: string;
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly shopName: string;
  readonly shopType: string;
  readonly panMasked: string;
  readonly aadhaarMasked: string;
  readonly address: OutletInput["address"];
  readonly bankAccountMasked: string;
  readonly ifsc: string;
  readonly device: OutletInput["device"];
  /** Unix seconds; null when nobody has authenticated today. */
  readonly dailyAuthUntil: number | null;
  readonly createdAt: string;
  readonly updatedAt: string;
};

export type OutletOtpInput = { readonly outletId: string; readonly otpRef: string; readonly otp: string };
export type OutletBiometricInput = Place & { readonly outletId: string; readonly pid: string };

export type AuthInput = Place & {
  readonly outletId: string;
  /** `DAILY` before the day's first transaction; `TXN` for one transaction, with its bank. */
  readonly type: "DAILY" | "TXN";
  readonly aadhaarEnc: string;
  readonly pid: string;
  readonly bankIin?: string | undefined;
};

export type AepsAuth = { readonly authRef: string; readonly validUntil: number };

/** The PID block and the encrypted number are made anew for every transaction; the service stores neither. */
export type AepsInput = Place & {
  /** Use it once over all AEPS calls: they share one look-up. */
  readonly requestId: string;
  readonly outletId: string;
  readonly customerMobile: string;
  readonly bankIin: string;
  readonly aadhaarEnc: string;
  readonly pid: string;
  /** The customer's own consent. */
  readonly consent: "Y";
  readonly authRef?: string | undefined;
};

/** 100 to 10000, in multiples of 50. */
export type AepsMoneyInput = AepsInput & { readonly amount: string };

export type AepsReference = ExactlyOne<"requestId" | "orderId">;

export type AepsEntry = {
  readonly date: string;
  readonly type: Open<"DR" | "CR">;
  readonly amount: string;
  readonly narration: string;
};

export type AepsExtra = SignedExtra & {
  readonly aeps: {
    readonly type: Open<"balance_enquiry" | "mini_statement" | "cash_withdrawal" | "aadhaar_pay">;
    /** 12 digits, once there is one. */
    readonly rrn: string | null;
    readonly bankName: string;
    readonly aadhaarMasked: string;
    readonly customerBalance: string | null;
    /** Of a mini statement. */
    readonly entries: readonly AepsEntry[];
    readonly outletId: string;
  };
};

/** You never hold the customer's money here, so a refund is never due. Hand over cash or goods on `succeeded` only. */
export type AepsOrder = Order<AepsExtra, "not_due">;
export type AepsOutcome = Outcome<AepsExtra, "not_due">;
