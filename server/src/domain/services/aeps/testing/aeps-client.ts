import { constants, publicEncrypt, randomInt } from "node:crypto";
import { expect } from "vitest";
import { withCheckDigit } from "../../../../../../e2e/harness/verhoeff.ts";
import { ids } from "../../../orders/testing/fixture.ts";
import type { Answer, Client, Json } from "../../testing/service-fixture.ts";

/** A valid and unique Aadhaar number. */
export function newAadhaar(): string {
  return withCheckDigit(
    `2${randomInt(0, 10 ** 10)
      .toString()
      .padStart(10, "0")}`,
  );
}

export const SERIAL = "MFS100-0001";
export const PID = `<?xml version="1.0"?><PidData><Resp errCode="0" errInfo="Success" fCount="1" qScore="78"/><DeviceInfo dpId="MANTRA.MSIPL" mi="MFS100"/><Data type="X">c2VjcmV0IGZpbmdlcg==</Data></PidData>`;
export const PLACE = { latitude: "19.0760", longitude: "72.8777" };
export const BANK = "607094";
export const PER_TRANSACTION_BANK = "607264";
export const DOWN_BANK = "607095";
export const OTP = "111000";

export type Outlet = { readonly outletId: string; readonly owner: string };

export type AepsClient = Client["signed"] & {
  readonly accountId: string;
  readonly own: Client;
  readonly encrypt: (digits: string) => string;
  /** The body of an outlet registration. */
  readonly registration: (more?: Json, owner?: string) => Json;
  readonly registered: (more?: Json, owner?: string) => Promise<Outlet>;
  /** Registers an outlet and verifies its mobile. */
  readonly verified: (more?: Json) => Promise<Outlet>;
  readonly active: (more?: Json) => Promise<Outlet>;
  /** The same with its owner authenticated for the day. */
  readonly ready: (more?: Json) => Promise<Outlet>;
  readonly sendOtp: (outletId: string) => Promise<string>;
  readonly authenticate: (outlet: Outlet, more?: Json) => Promise<Answer>;
  readonly biometric: (outletId: string, more?: Json) => Promise<Answer>;
  readonly status: (outletId: string) => Promise<unknown>;
  /** The body of a withdrawal of 500 for a customer whose mobile leads to success. */
  readonly transaction: (outlet: Outlet, more?: Json) => Json;
  readonly withdraw: (outlet: Outlet, more?: Json) => Promise<Answer>;
};

/** An AEPS client written from the documentation. */
export async function aepsClient(own: Client): Promise<AepsClient> {
  const { get, post } = own.signed;
  const key = String((await ok(get("/aeps/key")))["public_key_pem"]);
  const encrypt = (digits: string) => encryptFor(key, digits);
  const registration: AepsClient["registration"] = (more = {}, owner = newAadhaar()) => ({
    request_id: ids.request(),
    mobile: "9876500001",
    email: "asha@example.in",
    first_name: "Asha",
    last_name: "Patil",
    shop_name: "Asha Stores",
    shop_type: "5411",
    pan: "ABCPE1234F",
    aadhaar_enc: encrypt(owner),
    address: { line: "12 Station Road", city: "Pune", state_code: "MH", pincode: "411001" },
    bank_account: "12345678901",
    ifsc: "HDFC0001234",
    device: { model: "MFS100", serial: SERIAL },
    ...PLACE,
    ...more,
  });
  const registered: AepsClient["registered"] = async (more = {}, owner = newAadhaar()) => {
    const { outlet } = await ok(post("/aeps/outlets", registration(more, owner)));
    return { outletId: String((outlet as Json)["outlet_id"]), owner };
  };
  const sendOtp = async (outletId: string) => String((await ok(post("/aeps/outlets/otp", { outlet_id: outletId })))["otp_ref"]);
  const verified = async (more?: Json) => {
    const outlet = await registered(more);
    const otpRef = await sendOtp(outlet.outletId);
    await ok(post("/aeps/outlets/otp_verify", { outlet_id: outlet.outletId, otp_ref: otpRef, otp: OTP }));
    return outlet;
  };
  const biometric: AepsClient["biometric"] = (outletId, more = {}) =>
    post("/aeps/outlets/biometric", { outlet_id: outletId, pid: PID, ...PLACE, ...more });
  const active = async (more?: Json) => {
    const outlet = await verified(more);
    await ok(biometric(outlet.outletId));
    return outlet;
  };
  const authenticate: AepsClient["authenticate"] = (outlet, more = {}) =>
    post("/aeps/auth", { outlet_id: outlet.outletId, type: "DAILY", aadhaar_enc: encrypt(outlet.owner), pid: PID, ...PLACE, ...more });
  const ready = async (more?: Json) => {
    const outlet = await active(more);
    await ok(authenticate(outlet));
    return outlet;
  };
  const transaction: AepsClient["transaction"] = (outlet, more = {}) => ({
    request_id: ids.request(),
    outlet_id: outlet.outletId,
    customer_mobile: "9876543000",
    bank_iin: BANK,
    aadhaar_enc: encrypt(newAadhaar()),
    pid: PID,
    ...PLACE,
    consent: "Y",
    amount: "500",
    ...more,
  });
  return {
    own,
    accountId: own.accountId,
    get,
    post,
    encrypt,
    registration,
    registered,
    verified,
    active,
    ready,
    sendOtp,
    authenticate,
    biometric,
    status: async (outletId) => ((await ok(get("/aeps/outlets", { outlet_id: outletId })))["outlet"] as Json)["status"],
    transaction,
    withdraw: (outlet, more = {}) => post("/aeps/cash_withdrawal", transaction(outlet, more)),
  };
}

export function encryptFor(publicKeyPem: string, digits: string): string {
  const options = { key: publicKeyPem, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: "sha256" };
  return publicEncrypt(options, Buffer.from(digits)).toString("base64");
}

/** Returns the body of a reply that must be successful. */
export async function ok(answer: Promise<Answer>): Promise<Json> {
  const { status, body } = await answer;
  expect({ status, ok: body["ok"], body }).toMatchObject({ status: 200, ok: true });
  return body;
}

/** The complete expected refusal of this service. */
export function refusal(status: number, error: string, code: number, requestId?: unknown): Answer {
  const reference = requestId === undefined ? {} : { request_id: requestId, urid: requestId };
  return {
    status,
    body: { ok: false, status: "rejected", error, code, message: expect.stringMatching(/^\S.*\S$/), order_id: "", ...reference },
  };
}
