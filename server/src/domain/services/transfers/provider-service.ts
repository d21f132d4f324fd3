import type { QueryInput, QueryName, QueryValue } from "@corprail/connector";
import type { OtpSender } from "../signed/one-time-passwords.ts";
import type { Usable } from "../signed/provider-queries.ts";

export type Bank = {
  /** The first four letters of its IFSC codes. */
  readonly bank: string;
  readonly name: string;
  readonly status: "up" | "down";
};

export type SenderCheck = { readonly mobile: string; readonly name: string; readonly pincode: string };

/** One query of the provider, with its data or its refusal. Throws when there is no usable answer. */
type Query<Name extends QueryName> = (input: QueryInput<Name>) => Promise<Usable<QueryValue<Name>>>;

/** For a provider that keeps senders and mints their one-time passwords. */
export type ProviderSenders = {
  readonly register: Query<"transfers.sender.register">;
  /** Absent: registering again sends a new password. */
  readonly resendOtp?: Query<"transfers.sender.resend_otp">;
  readonly verify: Query<"transfers.sender.verify">;
};

/** For a provider that keeps beneficiaries under ids of its own, with or without a one-time password. */
export type ProviderBeneficiaries = {
  readonly add: Query<"transfers.beneficiary.add">;
  readonly verify: Query<"transfers.beneficiary.verify">;
  /** Absent: the provider keeps them forever. */
  readonly remove?: Query<"transfers.beneficiary.delete">;
};

/** A provider's queries for this service. */
export type TransfersProviderService = OtpSender & {
  /** All banks that the provider can pay to, with those that are unreachable at the moment. Absent: it reaches every bank. */
  readonly banks?: () => Promise<readonly Bank[]>;
  /** The provider's decision about a sender with a verified mobile. A blocked sender cannot send money. */
  readonly checkSender: (sender: SenderCheck) => Promise<"VERIFIED" | "BLOCKED">;
  readonly senders?: ProviderSenders;
  readonly beneficiaries?: ProviderBeneficiaries;
  /** Sends a transfer's one-time password that the provider mints. The transfer passes it on, and the provider checks it. */
  readonly sendTransferOtp?: Query<"transfers.send_otp">;
};

/** Whether the provider sends money only for senders or to beneficiaries that it knows. */
export function needsRegistration(providerService: TransfersProviderService | undefined): boolean {
  return providerService?.senders !== undefined || providerService?.beneficiaries !== undefined;
}
