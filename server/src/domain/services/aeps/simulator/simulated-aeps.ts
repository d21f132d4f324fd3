import type { AepsProviderService, Verdict } from "../provider-service.ts";
import { SIMULATED_BANKS } from "./banks.ts";

// Complete values, so that no ordinary PAN in a trial matches them. The agent code carries the outlet's fate.
const REJECTED_PAN = "RJCPT0000X";
const SUSPENDED_PAN = "SSPPD0000X";

/** Contract, section 9: outlets become active after their steps, and every fingerprint matches. */
export const SIMULATED_AEPS: AepsProviderService = {
  fixedCode: "111000",
  sendOtp: async () => {},
  banks: async () => SIMULATED_BANKS,
  registerWithProvider: async ({ outletId, pan }) => `${agentPrefixOf(pan)}-${outletId}`,
  checkBiometric: async ({ agentCode }) =>
    agentCode.startsWith("REJECT-") ? rejected("The simulator rejects outlets with this PAN.") : { kind: "verified" },
  authenticate: async ({ agentCode }) =>
    agentCode.startsWith("SUSPEND-") ? rejected("The simulator suspends outlets with this PAN.") : { kind: "verified" },
};

function agentPrefixOf(pan: string): string {
  if (pan === REJECTED_PAN) return "REJECT";
  return pan === SUSPENDED_PAN ? "SUSPEND" : "SIM";
}

function rejected(reason: string): Verdict {
  return { kind: "rejected", reason };
}
