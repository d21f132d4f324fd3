import type { QueryInput, QueryValue } from "@corprail/connector";
import type { OtpSender } from "../signed/one-time-passwords.ts";
import type { Usable } from "../signed/provider-queries.ts";

export type Bank = {
  readonly iin: string;
  readonly name: string;
  readonly live: boolean;
  /** The bank requires a separate authentication for every transaction that moves money. */
  readonly perTransaction: boolean;
};

/** The location of a device at the capture. */
export type Place = { readonly latitude: string; readonly longitude: string };

/** An outlet to register. The clear Aadhaar number is used for this call only. */
export type NewOutlet = Place & {
  /** Our id. Registering the same id again returns the first agent code. */
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

/** A capture of the owner's fingerprint for the KYC. The PID block is used for this call only. */
export type Biometric = Place & { readonly agentCode: string; readonly mobile: string; readonly pid: string };

export type Authentication = Biometric & {
  readonly type: "DAILY" | "TXN";
  readonly aadhaar: string;
  /** Only for a TXN authentication. */
  readonly bankIin: string | null;
};

export type Verdict =
  /** With the provider's reference of an authentication, if it wants that with the transaction. */
  | { readonly kind: "verified"; readonly authRef?: string }
  /** The fingerprint does not match, or the capture is too poor to decide. */
  | { readonly kind: "no match" }
  /** The provider rejects or suspends the outlet. */
  | { readonly kind: "rejected"; readonly reason: string };

/** What a provider gives a new outlet. */
export type Registered = {
  readonly agentCode: string;
  /** The provider's web page on which the owner completes the registration. */
  readonly onboardingUrl: string | null;
};

/** For a provider that mints the outlets' one-time passwords. */
export type OutletOtps = {
  readonly send: (outlet: QueryInput<"aeps.outlet.send_otp">) => Promise<Usable<QueryValue<"aeps.outlet.send_otp">>>;
  readonly verify: (given: QueryInput<"aeps.outlet.verify_otp">) => Promise<Usable<QueryValue<"aeps.outlet.verify_otp">>>;
};

/** A provider's queries for this service. A query that cannot be answered now throws. */
export type AepsProviderService = OtpSender & {
  readonly banks: () => Promise<readonly Bank[]>;
  /** Registers an outlet and returns the provider's agent code, which every later call contains, alone or with a web page. */
  readonly registerWithProvider: (outlet: NewOutlet) => Promise<string | Registered>;
  /** Absent: we mint the passwords, or there are none when the provider does not send ours either. */
  readonly outletOtps?: OutletOtps;
  readonly checkBiometric: (given: Biometric) => Promise<Verdict>;
  readonly authenticate: (given: Authentication) => Promise<Verdict>;
};
