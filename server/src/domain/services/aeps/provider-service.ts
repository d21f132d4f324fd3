import type { OtpSender } from "../signed/one-time-passwords.ts";

export type Bank = {
  readonly iin: string;
  readonly name: string;
  readonly live: boolean;
  /** It wants an authentication of its own for every transaction that moves money. */
  readonly perTransaction: boolean;
};

/** Where a device was when it read a finger. */
export type Place = { readonly latitude: string; readonly longitude: string };

/** A shop to take on. The clear Aadhaar number is for this call only. */
export type NewOutlet = Place & {
  /** Ours; taking the same one on twice answers the first time's code. */
  readonly outletId: string;
  readonly mobile: string;
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly shopName: string;
  readonly shopType: string;
  readonly pan: string;
  readonly aadhaar: string;
  readonly address: Address;
  readonly bankAccount: string;
  readonly ifsc: string;
  readonly device: { readonly model: string; readonly serial: string };
};

export type Address = { readonly line: string; readonly city: string; readonly state_code: string; readonly pincode: string };

/** A finger of the outlet's owner, read for its KYC. The PID block is for this call only. */
export type Biometric = Place & { readonly agentCode: string; readonly pid: string };

export type Authentication = Biometric & {
  readonly type: "DAILY" | "TXN";
  readonly aadhaar: string;
  /** Of a TXN one. */
  readonly bankIin: string | null;
};

export type Verdict =
  | { readonly kind: "verified" }
  /** The finger is not that person's, or was read too badly to say. */
  | { readonly kind: "no match" }
  /** The provider will not have this outlet, or no longer. */
  | { readonly kind: "turned down"; readonly reason: string };

/** What a provider does for this service beside its transactions. Whatever cannot be done now is thrown. */
export type AepsProviderService = OtpSender & {
  readonly banks: () => Promise<readonly Bank[]>;
  /** Answers the provider's own name for the outlet, which every later call carries. */
  readonly takeOn: (outlet: NewOutlet) => Promise<string>;
  readonly checkBiometric: (given: Biometric) => Promise<Verdict>;
  readonly authenticate: (given: Authentication) => Promise<Verdict>;
};
