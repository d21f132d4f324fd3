import { securityText } from "../../messages/en/security.ts";
import { fill } from "../../messages/fill.ts";

const BROWSERS = [
  ["Edg/", "Edge"],
  ["OPR/", "Opera"],
  ["Firefox/", "Firefox"],
  ["HeadlessChrome/", "Chrome"],
  ["Chrome/", "Chrome"],
  ["Safari/", "Safari"],
] as const;
const SYSTEMS = [
  ["Android", "Android"],
  ["iPhone", "iPhone"],
  ["iPad", "iPad"],
  ["Windows", "Windows"],
  ["Mac OS X", "macOS"],
  ["Linux", "Linux"],
] as const;

type Names = readonly (readonly [mark: string, name: string])[];

function found(names: Names, userAgent: string, otherwise: string): string {
  return names.find(([mark]) => userAgent.includes(mark))?.[1] ?? otherwise;
}

/** A readable device name such as "Firefox on Windows". */
export function deviceOf(userAgent: string): { readonly name: string; readonly phone: boolean } {
  const system = found(SYSTEMS, userAgent, securityText.anUnknownSystem);
  const browser = found(BROWSERS, userAgent, securityText.aBrowser);
  return { name: fill(securityText.browserOnSystem, { browser, system }), phone: ["Android", "iPhone"].includes(system) };
}
