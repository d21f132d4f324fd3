import type { AepsProviderService, Verdict } from "../provider-service.ts";
import { SIMULATED_BANKS } from "./banks.ts";

// Whole values, so that no ordinary PAN of a trial hits them. What becomes of the outlet travels in its code.
const TURNED_DOWN_AT_KYC = "RJCPT0000X";
const TURNED_DOWN_IN_USE = "SSPPD0000X";

/** Contract, section 9: outlets become active after their steps, and everybody is who they say. */
export const SIMULATED_AEPS: AepsProviderService = {
  fixedCode: "111000",
  sendOtp: async () => {},
  banks: async () => SIMULATED_BANKS,
  takeOn: async ({ outletId, pan }) => `${fateOf(pan)}-${outletId}`,
  checkBiometric: async ({ agentCode }) =>
    agentCode.startsWith("REJECT-") ? turnedDown("The simulator rejects outlets with this PAN.") : { kind: "verified" },
  authenticate: async ({ agentCode }) =>
    agentCode.startsWith("SUSPEND-") ? turnedDown("The simulator suspends outlets with this PAN.") : { kind: "verified" },
};

function fateOf(pan: string): string {
  if (pan === TURNED_DOWN_AT_KYC) return "REJECT";
  return pan === TURNED_DOWN_IN_USE ? "SUSPEND" : "SIM";
}

function turnedDown(reason: string): Verdict {
  return { kind: "turned down", reason };
}
