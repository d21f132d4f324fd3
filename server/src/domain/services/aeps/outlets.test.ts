import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { commonFields, createServiceFixture, type Items, itemsOf, type Json, type ServiceFixture } from "../testing/service-fixture.ts";
import { type AepsClient, aepsClient, newAadhaar, OTP, ok, PID, PLACE, refusal, SERIAL } from "./testing/aeps-client.ts";

let fixture: ServiceFixture;
let client: AepsClient;
let stranger: AepsClient;
beforeAll(async () => {
  fixture = await createServiceFixture();
  client = await aepsClient(await fixture.newClient());
  stranger = await aepsClient(await fixture.newClient());
});
afterAll(async () => {
  expect(await fixture.orders.violations()).toEqual([]);
  await fixture.close();
});

const SECOND = 1000;
const DAY = 24 * 60 * 60 * SECOND;

const verify = (outletId: string, otpRef: string, otp = OTP) =>
  client.post("/aeps/outlets/otp_verify", { outlet_id: outletId, otp_ref: otpRef, otp });

describe("registering an outlet", () => {
  test("is answered with the outlet, without any Aadhaar number", async () => {
    const owner = newAadhaar();
    const sent = client.registration({ request_id: "shown" }, owner);
    expect(await client.post("/aeps/outlets", sent)).toEqual({
      status: 200,
      body: {
        ...commonFields("aeps"),
        request_id: "shown",
        urid: "shown",
        outlet: {
          outlet_id: expect.stringMatching(/^OUT[0-9A-Z]{18}$/),
          status: "OTP_PENDING",
          reason: "",
          mobile: "9876500001",
          email: "asha@example.in",
          first_name: "Asha",
          last_name: "Patil",
          shop_name: "Asha Stores",
          shop_type: "5411",
          pan_masked: "XXXXXX234F",
          aadhaar_masked: `XXXX XXXX ${owner.slice(-4)}`,
          address: { line: "12 Station Road", city: "Pune", state_code: "MH", pincode: "411001" },
          bank_account_masked: "XXXXXXX8901",
          ifsc: "HDFC0001234",
          device: { model: "MFS100", serial: SERIAL },
          daily_auth_until: null,
          created_at: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
          updated_at: expect.any(String),
        },
      },
    });
  });

  test("again with the same request_id answers the first outlet, however the number was encrypted this time", async () => {
    const sent = client.registration({ request_id: "twice" });
    const first = await ok(client.post("/aeps/outlets", sent));
    const again = await ok(client.post("/aeps/outlets", { ...sent, aadhaar_enc: client.encrypt(newAadhaar()), latitude: "18.5" }));
    expect(again).toEqual(first);
  });

  test("with the same request_id and other details is a conflict", async () => {
    const sent = client.registration({ request_id: "other" });
    await ok(client.post("/aeps/outlets", sent));
    for (const more of [
      { shop_name: "Another" },
      { device: { model: "MFS100", serial: "X" } },
      { address: { ...(sent["address"] as Json), city: "Nashik" } },
    ])
      expect(await client.post("/aeps/outlets", { ...sent, ...more })).toEqual(refusal(409, "duplicate_reference", 124, "other"));
  });

  test("a hundred times at once with one request_id makes one outlet", async () => {
    const own = await aepsClient(await fixture.newClient());
    const sent = own.registration({ request_id: "crowd" });
    const replies = await Promise.all(Array.from({ length: 100 }, () => own.post("/aeps/outlets", sent)));
    expect(new Set(replies.map(({ body }) => (body["outlet"] as Json)["outlet_id"])).size).toBe(1);
    expect(itemsOf(await own.get("/aeps/outlets"))).toHaveLength(1);
  });

  test("with an Aadhaar number that is none is refused, and leaves the request_id free", async () => {
    const owner = newAadhaar();
    const wrong = owner.slice(0, 11) + ((Number(owner[11]) + 1) % 10);
    const sent = client.registration({ request_id: "free" }, owner);
    const elsewhere = Buffer.alloc(256, 7).toString("base64");
    for (const aadhaar_enc of [
      client.encrypt(wrong),
      client.encrypt("12345"),
      client.encrypt(`${owner} `),
      elsewhere,
      "AAAA",
      client.encrypt(owner).slice(4),
    ])
      expect(await client.post("/aeps/outlets", { ...sent, aadhaar_enc })).toEqual(refusal(422, "invalid_aadhaar", 4407, "free"));
    await ok(client.post("/aeps/outlets", sent));
  });
});

describe("an outlet's steps", () => {
  test("lead from OTP_PENDING over BIOMETRIC_PENDING to ACTIVE", async () => {
    const { outletId } = await client.registered();
    expect(await client.status(outletId)).toBe("OTP_PENDING");
    const sent = await ok(client.post("/aeps/outlets/otp", { outlet_id: outletId }));
    expect(sent).toEqual({ ...commonFields("aeps"), otp_ref: expect.stringMatching(/^OTP[0-9A-Z]{20}$/), valid_until: expect.any(Number) });
    expect(Number(sent["valid_until"]) - fixture.orders.clock.now() / 1000).toBeCloseTo(300, -1);
    expect(((await ok(verify(outletId, String(sent["otp_ref"]))))["outlet"] as Json)["status"]).toBe("BIOMETRIC_PENDING");
    expect(((await ok(client.biometric(outletId)))["outlet"] as Json)["status"]).toBe("ACTIVE");
    expect(await client.status(outletId)).toBe("ACTIVE");
  });

  test("cannot be taken out of turn", async () => {
    const { outletId } = await client.registered();
    expect(await client.biometric(outletId)).toEqual(refusal(422, "outlet_not_active", 4402));
    const otpRef = await client.sendOtp(outletId);
    await ok(verify(outletId, otpRef));
    expect(await verify(outletId, otpRef)).toEqual(refusal(422, "otp_invalid", 4207));
    expect(await client.post("/aeps/outlets/otp", { outlet_id: outletId })).toEqual(refusal(422, "otp_invalid", 4207));
    expect(await client.status(outletId)).toBe("BIOMETRIC_PENDING");
  });

  test("a biometric that is given twice leaves the outlet active", async () => {
    const { outletId } = await client.active();
    expect(((await ok(client.biometric(outletId)))["outlet"] as Json)["status"]).toBe("ACTIVE");
  });

  test("an invalid PID block or one of another device is refused", async () => {
    const { outletId } = await client.verified();
    for (const pid of ["finger", "<PidData/>", PID.replace(`errCode="0"`, `errCode="730"`)])
      expect(await client.biometric(outletId, { pid })).toEqual(refusal(422, "invalid_pid", 4405));
    const pid = PID.replace("<DeviceInfo ", `<DeviceInfo srno="MFS100-0002" `);
    expect(await client.biometric(outletId, { pid })).toEqual(refusal(422, "device_not_registered", 4406));
    expect(await client.status(outletId)).toBe("BIOMETRIC_PENDING");
    await ok(client.biometric(outletId, { pid: pid.replace("MFS100-0002", SERIAL) }));
  });

  test("the provider can reject an outlet at its KYC: it stays rejected", async () => {
    const { outletId } = await client.verified({ pan: "RJCPT0000X" });
    const { outlet } = await ok(client.biometric(outletId));
    expect(outlet).toMatchObject({ status: "REJECTED", reason: "The outlet was rejected by the bank." });
    expect(await client.biometric(outletId)).toEqual(refusal(422, "outlet_not_active", 4402));
    expect(await client.post("/aeps/outlets/otp", { outlet_id: outletId })).toEqual(refusal(422, "outlet_not_active", 4402));
  });

  test("the provider can suspend an outlet in use: nothing goes through it any more", async () => {
    const outlet = await client.active({ pan: "SSPPD0000X" });
    expect(await client.status(outlet.outletId)).toBe("ACTIVE");
    expect(await client.authenticate(outlet)).toEqual(refusal(422, "outlet_not_active", 4402));
    expect(await client.status(outlet.outletId)).toBe("SUSPENDED");
    expect(await client.authenticate(outlet)).toEqual(refusal(422, "outlet_not_active", 4402));
    expect(await client.biometric(outlet.outletId)).toEqual(refusal(422, "outlet_not_active", 4402));
    const sent = client.transaction(outlet);
    expect(await client.post("/aeps/cash_withdrawal", sent)).toEqual(refusal(422, "outlet_not_active", 4402, sent["request_id"]));
  });
});

describe("an outlet's one-time password", () => {
  test("is sent again after 30 seconds, not before, and the one before then opens nothing", async () => {
    const { outletId } = await client.registered();
    const first = await client.sendOtp(outletId);
    expect(await client.post("/aeps/outlets/otp", { outlet_id: outletId })).toMatchObject({
      status: 429,
      body: { status: "rejected", error: "rate_limited", code: 123 },
    });
    fixture.orders.clock.advance(30 * SECOND);
    const second = await client.sendOtp(outletId);
    expect(second).not.toBe(first);
    expect(await verify(outletId, first)).toEqual(refusal(422, "otp_invalid", 4207));
    await ok(verify(outletId, second));
  });

  test("expires after five minutes", async () => {
    const { outletId } = await client.registered();
    const otpRef = await client.sendOtp(outletId);
    fixture.orders.clock.advance(300 * SECOND);
    expect(await verify(outletId, otpRef)).toEqual(refusal(410, "otp_expired", 4208));
    await ok(verify(outletId, await client.sendOtp(outletId)));
  });

  test("is spent by three wrong codes: even the right one is refused then", async () => {
    const { outletId } = await client.registered();
    const otpRef = await client.sendOtp(outletId);
    for (const otp of ["000000", "999999", "123456"])
      expect(await verify(outletId, otpRef, otp)).toEqual(refusal(422, "otp_invalid", 4207));
    expect(await verify(outletId, otpRef)).toEqual(refusal(422, "otp_attempts_exceeded", 4209));
    fixture.orders.clock.advance(30 * SECOND);
    await ok(verify(outletId, await client.sendOtp(outletId)));
  });

  test("of twenty guesses at once no more than three are looked at", async () => {
    const { outletId } = await client.registered();
    const otpRef = await client.sendOtp(outletId);
    const codes = Array.from({ length: 20 }, (_, n) => String(200_000 + n));
    const replies = await Promise.all(codes.map((otp) => verify(outletId, otpRef, otp)));
    expect(replies.filter(({ body }) => body["error"] === "otp_invalid")).toHaveLength(3);
    expect(replies.filter(({ body }) => body["error"] === "otp_attempts_exceeded")).toHaveLength(17);
  });

  test("of one outlet does not verify another", async () => {
    const [one, other] = [await client.registered(), await client.registered()];
    const otpRef = await client.sendOtp(one.outletId);
    await client.sendOtp(other.outletId);
    expect(await verify(other.outletId, otpRef)).toEqual(refusal(422, "otp_invalid", 4207));
  });
});

describe("an outlet that was idle for 90 days", () => {
  test("needs its owner's biometric again, and is active after it", async () => {
    const own = await aepsClient(await fixture.newClient());
    const outlet = await own.ready();
    fixture.orders.clock.advance(90 * DAY - 60 * SECOND);
    expect(await own.status(outlet.outletId)).toBe("ACTIVE");
    fixture.orders.clock.advance(60 * SECOND);
    expect(await own.status(outlet.outletId)).toBe("REKYC_REQUIRED");
    expect(await own.authenticate(outlet)).toEqual(refusal(403, "rekyc_required", 4411));
    const sent = own.transaction(outlet);
    expect(await own.post("/aeps/balance_enquiry", sent)).toEqual(refusal(403, "rekyc_required", 4411, sent["request_id"]));
    expect(((await ok(own.biometric(outlet.outletId)))["outlet"] as Json)["status"]).toBe("ACTIVE");
    await ok(own.authenticate(outlet));
    await ok(own.withdraw(outlet));
  });

  test("a transaction or an authentication counts as use", async () => {
    const own = await aepsClient(await fixture.newClient());
    const outlet = await own.active();
    fixture.orders.clock.advance(80 * DAY);
    await ok(own.authenticate(outlet));
    await ok(own.withdraw(outlet));
    fixture.orders.clock.advance(80 * DAY);
    expect(await own.status(outlet.outletId)).toBe("ACTIVE");
  });
});

describe("the list of outlets", () => {
  test("shows the account's own, newest first, page by page", async () => {
    const own = await aepsClient(await fixture.newClient());
    const made: string[] = [];
    for (let n = 0; n < 5; n++) {
      made.unshift((await own.registered()).outletId);
      fixture.orders.clock.advance(SECOND);
    }
    const shown: unknown[] = [];
    let after: string | null = null;
    do {
      const { body } = await own.get("/aeps/outlets", { limit: "2", ...(after === null ? {} : { after }) });
      shown.push(...(body["items"] as Items).map((one) => one["outlet_id"]));
      after = body["next"] as string | null;
    } while (after !== null);
    expect(shown).toEqual(made);
  });

  test.each(["x", "T1VUMTI", "a".repeat(201)])("a cursor of no list is 400: %s", async (after) => {
    expect(await client.get("/aeps/outlets", { after })).toMatchObject({ status: 400, body: { fields: { after: expect.any(String) } } });
  });
});

test("another account's outlet is not found, whatever is asked of it", async () => {
  const theirs = await stranger.ready();
  const { outletId } = theirs;
  const sent = client.transaction(theirs, { aadhaar_enc: client.encrypt(newAadhaar()) });
  const [notFound, withReference] = [refusal(404, "outlet_not_found", 4401), refusal(404, "outlet_not_found", 4401, sent["request_id"])];
  expect(await client.get("/aeps/outlets", { outlet_id: outletId })).toEqual(notFound);
  expect(await client.post("/aeps/outlets/otp", { outlet_id: outletId })).toEqual(notFound);
  expect(await verify(outletId, "OTP1")).toEqual(notFound);
  expect(await client.biometric(outletId)).toEqual(notFound);
  expect(await client.authenticate(theirs)).toEqual(notFound);
  for (const call of ["balance_enquiry", "mini_statement", "cash_withdrawal", "aadhaar_pay"])
    expect(await client.post(`/aeps/${call}`, sent)).toEqual(withReference);
  expect(await client.biometric("no-such")).toEqual(notFound);
  expect(await client.post("/aeps/outlets/otp", { outlet_id: "no-such", ...PLACE })).toEqual(notFound);
});
