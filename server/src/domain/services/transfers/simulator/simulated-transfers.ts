import type { TransfersProviderService } from "../provider-service.ts";
import { SIMULATOR_BANKS } from "./banks.ts";

// One whole number, not an ending: endings are about how transfers end.
const BLOCKED_MOBILE = "9000000403";

/** The built-in provider's provider service: nothing is sent anywhere, and every answer follows from what was asked. */
export function simulatedTransfers(): TransfersProviderService {
  return {
    fixedCode: "111000",
    sendOtp: async () => {},
    banks: async () => SIMULATOR_BANKS,
    checkSender: async ({ mobile }) => (mobile === BLOCKED_MOBILE ? "BLOCKED" : "VERIFIED"),
  };
}
