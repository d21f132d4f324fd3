import type { AepsProviderService, Bank, Verdict } from "../provider-service.ts";

type Row = readonly [iin: string, name: string, more?: "not live" | "per transaction"];

// The first banks are live and require only the daily authentication.
const ROWS: readonly Row[] = [
  ["607094", "State Bank of India"],
  ["607152", "HDFC Bank"],
  ["508534", "ICICI Bank"],
  ["607153", "Axis Bank"],
  ["607027", "Punjab National Bank"],
  ["606985", "Bank of Baroda"],
  ["607396", "Canara Bank"],
  ["607161", "Union Bank of India"],
  ["508505", "Bank of India"],
  ["607105", "Indian Bank"],
  ["607264", "Central Bank of India", "per transaction"],
  ["607420", "Kotak Mahindra Bank", "per transaction"],
  ["607066", "UCO Bank"],
  ["607095", "IDBI Bank", "not live"],
  ["607618", "YES Bank", "not live"],
];

const SIMULATED_BANKS: readonly Bank[] = ROWS.map(([iin, name, more]) => ({
  iin,
  name,
  live: more !== "not live",
  perTransaction: more === "per transaction",
}));

// Complete values, so that no ordinary PAN in a trial matches them. The agent code tells later calls which PAN the outlet has.
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
