import { expect } from "vitest";
import { type Answer, type Client, createServiceFixture, type Json, type ServiceFixture } from "../../testing/service-fixture.ts";

export const OTP = "111000";
export const WRONG_OTP = "999999";

let made = 0;

/** A unique request_id. */
export const ref = (name = "r") => `${name}-${++made}`;
/** A unique mobile without special meaning for the simulator. */
export const newMobile = () => `98${(10_000_000 + ++made).toString()}`;

/** Creates the fixture for a test file. */
export const createFixture = (options: Parameters<typeof createServiceFixture>[0] = {}): Promise<ServiceFixture> =>
  createServiceFixture(options);

/** Returns the body of an answer that must be a 200. */
export async function ok(answer: Promise<Answer>): Promise<Json> {
  const { status, body } = await answer;
  expect({ status, body }).toMatchObject({ status: 200, body: { ok: true } });
  return body;
}

export const partOf = (body: Json, name: string): Json => body[name] as Json;

export const senderBody = (mobile: string, more: Json = {}): Json => ({
  request_id: ref(),
  mobile,
  first_name: "Asha",
  last_name: "Verma",
  pincode: "411001",
  consent: "Y",
  ...more,
});

export async function newSender(client: Client, mobile = newMobile()): Promise<string> {
  const { otp_ref } = await ok(client.signed.post("/transfers/senders", senderBody(mobile)));
  await ok(client.signed.post("/transfers/senders/verify", { mobile, otp_ref, otp: OTP }));
  return mobile;
}

export const beneficiaryBody = (sender: string, more: Json = {}): Json => ({
  request_id: ref(),
  sender,
  name: "Ravi Kumar",
  account: "50100123456789",
  ifsc: "HDFC0001234",
  ...more,
});

export async function newBeneficiary(client: Client, sender: string, more: Json = {}): Promise<string> {
  const body = await ok(client.signed.post("/transfers/beneficiaries", beneficiaryBody(sender, more)));
  const { beneficiary_id } = partOf(body, "beneficiary");
  await ok(client.signed.post("/transfers/beneficiaries/verify_otp", { beneficiary_id, otp_ref: body["otp_ref"], otp: OTP }));
  return String(beneficiary_id);
}

/** A verified sender and an active beneficiary. */
export type Parties = { readonly sender: string; readonly beneficiary_id: string };

export async function newParties(client: Client, more: Json = {}): Promise<Parties> {
  const sender = await newSender(client);
  return { sender, beneficiary_id: await newBeneficiary(client, sender, more) };
}

export const askQuote = (client: Client, parties: Parties, more: Json = {}): Promise<Answer> =>
  client.signed.post("/transfers/quote", { request_id: ref(), ...parties, amount: "1000", ...more });

export async function newQuote(client: Client, parties: Parties, more: Json = {}): Promise<string> {
  return String((await ok(askQuote(client, parties, more)))["transfer_ref"]);
}

export const sendTransfer = (client: Client, transfer_ref: string, more: Json = {}): Promise<Answer> =>
  client.signed.post("/transfers", { request_id: ref(), transfer_ref, otp: OTP, ...more });

/** Creates a quote and its transfer. */
export async function newTransfer(client: Client, parties: Parties, more: Json = {}): Promise<Json> {
  return await ok(sendTransfer(client, await newQuote(client, parties, more)));
}

export async function senderOf(client: Client, mobile: string): Promise<Json> {
  return partOf(await ok(client.signed.get("/transfers/senders", { mobile })), "sender");
}

export async function balanceOf(client: Client): Promise<string> {
  return String((await client.get("/balance")).body["balance"]);
}

/** The expected refusal of a signed service. */
export function refusal(status: number, error: string, code: number, more: Json = {}): Answer {
  return {
    status,
    body: { ok: false, status: "rejected", error, code, message: expect.stringMatching(/^\S.*\S$/), order_id: "", ...more },
  };
}

/** The same for a request with a reference. */
export const refusalOf = (request_id: string, status: number, error: string, code: number, more: Json = {}): Answer =>
  refusal(status, error, code, { request_id, urid: request_id, ...more });
