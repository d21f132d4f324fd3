import type { QueryResult, QueryValue } from "@corprail/connector";
import { convertedOnce, type ProviderLists } from "../signed/provider-lists.ts";
import { type ProviderQueries, ProviderUnavailable } from "../signed/provider-queries.ts";
import type { AepsProviderService, Bank, OutletOtps, Verdict } from "./provider-service.ts";

/** The AEPS queries of a real provider. Its operations say who mints the outlets' one-time passwords. */
export function connectedAeps(queries: ProviderQueries, lists: ProviderLists): AepsProviderService {
  return {
    ...(queries.has("otp.send") ? { sendOtp: async (message) => void (await queries.read("otp.send", message)) } : {}),
    ...(queries.has("aeps.outlet.send_otp") && queries.has("aeps.outlet.verify_otp") ? { outletOtps: outletOtpsOf(queries) } : {}),
    banks: async () => await toBanks((await lists(queries, "aeps.banks", {})).banks),
    registerWithProvider: async (outlet) => {
      const registered = await queries.read("aeps.outlet.register", {
        outlet_id: outlet.outletId,
        mobile: outlet.mobile,
        email: outlet.email,
        first_name: outlet.firstName,
        last_name: outlet.lastName,
        shop_name: outlet.shopName,
        shop_type: outlet.shopType,
        pan: outlet.pan,
        aadhaar: outlet.aadhaar,
        address: outlet.address,
        bank_account: outlet.bankAccount,
        ifsc: outlet.ifsc,
        device_model: outlet.device.model,
        device_serial: outlet.device.serial,
        latitude: outlet.latitude,
        longitude: outlet.longitude,
      });
      return { agentCode: registered.agent_code, onboardingUrl: registered.onboarding_url ?? null };
    },
    checkBiometric: async ({ agentCode, mobile, pid, latitude, longitude }) => {
      // A provider without this step verifies the owner at the daily authentication.
      if (!queries.has("aeps.outlet.biometric")) return { kind: "verified" };
      return verdictOf(await queries.ask("aeps.outlet.biometric", { agent_code: agentCode, mobile, pid, latitude, longitude }));
    },
    authenticate: async ({ agentCode, mobile, type, aadhaar, pid, bankIin, latitude, longitude }) => {
      const given = { agent_code: agentCode, mobile, type, aadhaar, pid, latitude, longitude, bank_iin: bankIin ?? "" };
      const result = await queries.ask("aeps.authenticate", given);
      return result.kind === "answered" ? { kind: "verified", authRef: result.value.auth_ref } : verdictOf(result);
    },
  };
}

function outletOtpsOf(queries: ProviderQueries): OutletOtps {
  return {
    send: (outlet) => queries.ask("aeps.outlet.send_otp", outlet),
    verify: (given) => queries.ask("aeps.outlet.verify_otp", given),
  };
}

const toBanks = convertedOnce(toBank);

function toBank({ iin, name, live, per_transaction: perTransaction }: QueryValue<"aeps.banks">["banks"][number]): Bank {
  return { iin, name, live, perTransaction };
}

function verdictOf(result: Exclude<QueryResult<object>, { readonly kind: "unavailable" }>): Verdict {
  if (result.kind === "answered") return { kind: "verified" };
  if (result.code === "no_match") return { kind: "no match" };
  // Only an explicit decision may end an outlet; every other refusal can be tried again.
  if (result.code === "rejected") return { kind: "rejected", reason: result.reason };
  throw new ProviderUnavailable(result.reason);
}
