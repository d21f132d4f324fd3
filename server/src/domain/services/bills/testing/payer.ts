import type { Answer, Client, Json } from "../../testing/service-fixture.ts";
import type { Biller, Params } from "../billers/biller.ts";
import { BILLERS } from "../simulator/simulated-bills.ts";

export const MOBILE = "9876543210";

/** One biller for each kind that the rules distinguish. */
export const EXACT = "TPDDL0000DEL01";
export const EXACT_UP = "BESCOM000KAR01";
export const EXACT_DOWN = "MSEDCL000MAH01";
export const ANY_AMOUNT = "UPPCL0000UTP01";
export const RANGE = "MGL000000MUM01";
export const RANGE_OF_BILL = "SBICARD00NAT01";
export const VALIDATE = "SPECTRA00NAT01";
export const DIRECT = "TATAPLAY0NAT01";
export const DIRECT_WITH_FEE = "AXISCARD0NAT01";
export const INACTIVE = "JBVNL0000JHA01";
export const INACTIVE_DIRECT = "VIDEOCON0NAT01";

export function billerOf(billerId: string): Biller {
  const biller = BILLERS.find((one) => one.billerId === billerId);
  if (!biller) throw new Error(`There is no biller ${billerId}.`);
  return biller;
}

/** Example values of the required parameters; the first one gets the given ending. */
export function paramsOf(billerId: string, ending = ""): Params {
  const required = billerOf(billerId).params.filter((one) => !one.optional);
  return Object.fromEntries(
    required.map(({ name, example }, place) => [name, place === 0 ? example.slice(0, example.length - ending.length) + ending : example]),
  );
}

export function fetchBill(client: Client, requestId: string, billerId = EXACT, more: Json = {}): Promise<Answer> {
  return client.signed.post("/bills/fetch", {
    request_id: requestId,
    biller_id: billerId,
    customer_mobile: MOBILE,
    params: paramsOf(billerId),
    ...more,
  });
}

export function pay(client: Client, requestId: string, more: Json): Promise<Answer> {
  const mode = typeof more["payment_mode"] === "string" ? {} : { payment_mode: "UPI" };
  return client.signed.post("/bills/pay", { request_id: requestId, payer_name: "Asha Verma", ...mode, ...more });
}

/** Pays a biller that is paid directly. */
export function payDirect(client: Client, requestId: string, more: Json = {}): Promise<Answer> {
  const billerId = typeof more["biller_id"] === "string" ? more["biller_id"] : DIRECT;
  const params = billerId === DIRECT || more["params"] === undefined ? paramsOf(DIRECT) : {};
  return pay(client, requestId, { biller_id: billerId, customer_mobile: MOBILE, params, amount: "100", ...more });
}

export type FetchedBill = { readonly fetchRef: string; readonly amount: string };

/** Fetches a bill that can be paid. */
export async function fetched(client: Client, requestId: string, billerId = EXACT, more: Json = {}): Promise<FetchedBill> {
  const { status, body } = await fetchBill(client, requestId, billerId, more);
  if (status !== 200) throw new Error(`Answered ${status}: ${JSON.stringify(body)}`);
  const [bill] = body["bills"] as readonly Json[];
  return { fetchRef: String(body["fetch_ref"]), amount: String(bill?.["amount"] ?? "") };
}

/** The expected refusal of a signed service. */
export function refusal(status: number, error: string, code: number, requestId: string | null, more: Json = {}): Answer {
  const echo = requestId === null ? {} : { request_id: requestId, urid: requestId };
  return { status, body: { ok: false, status: "rejected", error, code, order_id: "", ...echo, ...more } };
}
