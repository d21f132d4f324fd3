import type { ProviderLists } from "../signed/provider-lists.ts";
import type { ProviderQueries } from "../signed/provider-queries.ts";
import type { ProviderBeneficiaries, ProviderSenders, TransfersProviderService } from "./provider-service.ts";

/** The money transfer queries of a real provider. Its operations say who mints which one-time password. */
export function connectedTransfers(queries: ProviderQueries, lists: ProviderLists): TransfersProviderService {
  return {
    ...(queries.has("transfers.banks") ? { banks: async () => (await lists(queries, "transfers.banks", {})).banks } : {}),
    checkSender: async ({ mobile, name, pincode }) => {
      if (!queries.has("transfers.sender.check")) return "VERIFIED";
      const [first = "", ...others] = name.split(" ");
      const sender = { mobile, first_name: first, last_name: others.join(" "), pincode, latitude: "", longitude: "" };
      const result = await queries.ask("transfers.sender.check", sender);
      return result.kind === "answered" ? result.value.status : "BLOCKED";
    },
    ...(queries.has("otp.send") ? { sendOtp: async (message) => void (await queries.read("otp.send", message)) } : {}),
    ...(queries.has("transfers.sender.register") ? { senders: sendersOf(queries) } : {}),
    ...(queries.has("transfers.beneficiary.add") ? { beneficiaries: beneficiariesOf(queries) } : {}),
    ...(queries.has("transfers.send_otp") ? { sendTransferOtp: (transfer) => queries.ask("transfers.send_otp", transfer) } : {}),
  };
}

function sendersOf(queries: ProviderQueries): ProviderSenders {
  return {
    register: (sender) => queries.ask("transfers.sender.register", sender),
    verify: (given) => queries.ask("transfers.sender.verify", given),
    ...(queries.has("transfers.sender.resend_otp") ? { resendOtp: (given) => queries.ask("transfers.sender.resend_otp", given) } : {}),
  };
}

function beneficiariesOf(queries: ProviderQueries): ProviderBeneficiaries {
  return {
    add: (beneficiary) => queries.ask("transfers.beneficiary.add", beneficiary),
    verify: (given) => queries.ask("transfers.beneficiary.verify", given),
    ...(queries.has("transfers.beneficiary.delete") ? { remove: (one) => queries.ask("transfers.beneficiary.delete", one) } : {}),
  };
}
