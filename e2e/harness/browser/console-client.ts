import { Corprail } from "@corprail/sdk";
import { change, newClient } from "../operator.ts";
import type { Service } from "../service.ts";
import { recharge } from "./portal-client.ts";

const OTP = "111000";
const QUICK = { firstCheckAfterMs: 50, checkEveryMs: 50, giveUpAfterMs: 30_000 } as const;

/** A client with money and every service enabled. */
export type ConsoleClient = {
  readonly accountId: string;
  readonly token: string;
  /** Recharges ten rupees and returns the order's id; the last three digits determine the outcome. */
  readonly pay: (urid: string, account: string) => Promise<string>;
  /** A money transfer that succeeded. */
  readonly transfer: () => Promise<string>;
  /** A bus ticket with one seat. */
  readonly ticket: () => Promise<string>;
};

export async function newConsoleClient(
  service: Service,
  name: string,
  settings: Readonly<Record<string, unknown>> = {},
): Promise<ConsoleClient> {
  const { accountId, token, secret } = await newClient(service, { services: { transfers: true, bus: true }, settings: { ...settings } });
  await change(service, `/accounts/${accountId}/wallet`, { amount: "100000.00", reference: "start", note: name });
  const corprail = new Corprail({ baseUrl: service.url, token, signingSecret: secret });
  return {
    accountId,
    token,
    pay: async (urid, account) => String((await recharge(service.url, token, urid, account))["order_id"]),
    transfer: () => sendMoney(corprail),
    ticket: () => bookSeat(corprail),
  };
}

async function sendMoney(corprail: Corprail): Promise<string> {
  const sender = "9876543210";
  const { otpRef } = await corprail.transfers.senders.create({
    requestId: "S-1",
    mobile: sender,
    firstName: "Asha",
    pincode: "560001",
    consent: "Y",
  });
  await corprail.transfers.senders.verify({ mobile: sender, otpRef, otp: OTP });
  const banks = await corprail.transfers.banks().toArray();
  const ifsc = `${banks.find((one) => one.status === "up")?.ifscPrefix}000001`;
  const account = "50100000000001";
  const added = await corprail.transfers.beneficiaries.add({ requestId: "N-1", sender, name: "Ravi", account, ifsc });
  const { beneficiaryId } = added.beneficiary;
  await corprail.transfers.beneficiaries.verifyOtp({ beneficiaryId, otpRef: added.otpRef, otp: OTP });
  const quote = await corprail.transfers.quote({ requestId: "Q-1", sender, beneficiaryId, amount: "500.00", mode: "IMPS" });
  return orderOf(await corprail.transfers.createAndSettle({ requestId: "T-1", transferRef: quote.transferRef, otp: OTP }, QUICK));
}

async function bookSeat(corprail: Corprail): Promise<string> {
  const [from, to] = await corprail.bus.cities().toArray(2);
  const date = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10);
  const [trip] = await corprail.bus.trips({ from: from?.cityId ?? "", to: to?.cityId ?? "", date }).toArray(1);
  const seats = await corprail.bus.seats({ tripId: trip?.tripId ?? "" });
  const seat = seats.find((one) => one.available && one.gender === "any")?.seat ?? "";
  const block = await corprail.bus.block({
    requestId: "K-1",
    tripId: trip?.tripId ?? "",
    boardingId: trip?.boarding[0]?.id ?? "",
    passengers: [{ seat, title: "Ms", name: "Asha Rao", age: 30, gender: "F", idType: "PAN", idNumber: "ABCDE1234F" }],
    contact: { mobile: "9876543000", email: "asha@example.in" },
  });
  return orderOf(await corprail.bus.bookAndSettle({ requestId: "B-1", blockRef: block.blockRef, amount: block.total }, QUICK));
}

function orderOf(outcome: { readonly outcome: string; readonly orderId?: string }): string {
  if (outcome.outcome !== "succeeded" || outcome.orderId === undefined) throw new Error(`The order ${outcome.outcome}.`);
  return outcome.orderId;
}
