import type { Biller } from "../biller.ts";
import { CONNECTIONS } from "./connections.ts";
import { DUES } from "./dues.ts";
import { UTILITIES } from "./utilities.ts";

/** All billers of the simulator. */
export const BILLERS: readonly Biller[] = [...UTILITIES, ...CONNECTIONS, ...DUES];

/** A biller whose bills have narrower limits than the biller. */
export const BILLER_WITH_RANGES = "SBICARD00NAT01";
