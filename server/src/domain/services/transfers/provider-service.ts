import type { OtpSender } from "../signed/one-time-passwords.ts";

export type Bank = {
  /** The first four letters of its IFSCs. */
  readonly bank: string;
  readonly name: string;
  readonly status: "up" | "down";
};

export type SenderCheck = { readonly mobile: string; readonly name: string; readonly pincode: string };

/** What a provider does for this service beside its transactions. */
export type TransfersProviderService = OtpSender & {
  /** Every bank it can pay to, and which of them cannot be reached just now. */
  readonly banks: () => Promise<readonly Bank[]>;
  /** Its word on a sender who has proved the mobile: a blocked one sends nothing. */
  readonly checkSender: (sender: SenderCheck) => Promise<"VERIFIED" | "BLOCKED">;
};
