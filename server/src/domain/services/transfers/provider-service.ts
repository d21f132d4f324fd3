import type { OtpSender } from "../signed/one-time-passwords.ts";

export type Bank = {
  /** The first four letters of its IFSC codes. */
  readonly bank: string;
  readonly name: string;
  readonly status: "up" | "down";
};

export type SenderCheck = { readonly mobile: string; readonly name: string; readonly pincode: string };

/** A provider's queries for this service. */
export type TransfersProviderService = OtpSender & {
  /** All banks that the provider can pay to, with those that are unreachable at the moment. */
  readonly banks: () => Promise<readonly Bank[]>;
  /** The provider's decision about a sender with a verified mobile. A blocked sender cannot send money. */
  readonly checkSender: (sender: SenderCheck) => Promise<"VERIFIED" | "BLOCKED">;
};
