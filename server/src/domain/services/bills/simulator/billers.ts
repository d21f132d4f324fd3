import type { Biller } from "../biller.ts";
import { CONNECTIONS } from "./connections.ts";
import { DUES } from "./dues.ts";
import { UTILITIES } from "./utilities.ts";

/** Every biller of the simulator. */
export const BILLERS: readonly Biller[] = [...UTILITIES, ...CONNECTIONS, ...DUES];

/** Its bills take less than the biller does. */
export const BILLER_WITH_RANGES = "SBICARD00NAT01";
