import type { TransfersProviderService } from "../provider-service.ts";
import { SIMULATOR_BANKS } from "./banks.ts";

// A complete number, because endings determine the results of transfers.
const BLOCKED_MOBILE = "9000000403";

/** The simulator's transfer queries. Nothing is sent, and every answer follows from the request. */
export function simulatedTransfers(): TransfersProviderService {
  return {
    fixedCode: "111000",
    sendOtp: async () => {},
    banks: async () => SIMULATOR_BANKS,
    checkSender: async ({ mobile }) => (mobile === BLOCKED_MOBILE ? "BLOCKED" : "VERIFIED"),
  };
}
