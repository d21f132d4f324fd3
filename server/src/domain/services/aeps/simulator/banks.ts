import type { Bank } from "../provider-service.ts";

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

export const SIMULATED_BANKS: readonly Bank[] = ROWS.map(([iin, name, more]) => ({
  iin,
  name,
  live: more !== "not live",
  perTransaction: more === "per transaction",
}));
