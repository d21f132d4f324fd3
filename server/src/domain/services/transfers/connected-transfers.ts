import type { ProviderLists } from "../signed/provider-lists.ts";
import type { ProviderQueries } from "../signed/provider-queries.ts";
import type { TransfersProviderService } from "./provider-service.ts";

/** The money transfer queries of a real provider that sends the one-time passwords that we mint. */
export function connectedTransfers(queries: ProviderQueries, lists: ProviderLists): TransfersProviderService {
  return {
    banks: async () => (await lists(queries, "transfers.banks", {})).banks,
    sendOtp: async (message) => void (await queries.read("otp.send", message)),
    checkSender: async ({ mobile, name, pincode }) => {
      if (!queries.has("transfers.sender.check")) return "VERIFIED";
      const [first = "", ...others] = name.split(" ");
      const sender = { mobile, first_name: first, last_name: others.join(" "), pincode, latitude: "", longitude: "" };
      const result = await queries.ask("transfers.sender.check", sender);
      return result.kind === "answered" ? result.value.status : "BLOCKED";
    },
  };
}
