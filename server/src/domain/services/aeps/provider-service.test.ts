import { afterAll, beforeAll, expect, test } from "vitest";
import { accountWith } from "../../../api/client/gate/testing/account.ts";
import { memoryVault } from "../../accounts/testing/memory-vault.ts";
import type { Answer } from "../../client-api/route.ts";
import { providersNamed } from "../signed/provider-services.ts";
import { createServiceFixture, type ServiceFixture } from "../testing/service-fixture.ts";
import type { AepsContext } from "./context.ts";
import type { AepsProviderService, Authentication, Biometric, NewOutlet } from "./provider-service.ts";
import { aepsRoutes } from "./routes.ts";
import { SIMULATED_AEPS } from "./simulator/simulated-aeps.ts";
import { encryptFor, newAadhaar, OTP, PID, PLACE } from "./testing/aeps-client.ts";

let fixture: ServiceFixture;
beforeAll(async () => {
  fixture = await createServiceFixture();
});
afterAll(() => fixture?.close());

const vault = memoryVault();
type Fields = Readonly<Record<string, unknown>>;

/** The routes themselves, at a provider that does as the test says. */
async function at(more: Partial<AepsProviderService>) {
  const logged: string[] = [];
  const note = (...said: unknown[]) =>
    logged.push(said.map((one) => (one instanceof Error ? String(one.stack) : JSON.stringify(one))).join());
  const log = { ...fixture.ctx.log, warn: note, error: note } as unknown as AepsContext["log"];
  const providerServices = { aeps: providersNamed({ simulator: { ...SIMULATED_AEPS, ...more } }) };
  const ctx = { ...fixture.ctx, log, catalogue: fixture.catalogue, vault, providerServices } as AepsContext;
  const account = accountWith({ accountId: fixture.ctx.ids.account() });
  const routes = aepsRoutes(ctx);
  const call = async (method: "GET" | "POST", path: string, body: object): Promise<Answer> => {
    const route = routes.find((one) => one.method === method && one.path === path);
    if (!route) throw new Error(`There is no ${method} ${path}.`);
    return await route.handle({ account, input: route.input.parse(body), requestId: "R" });
  };
  const post = (path: string, body: object) => call("POST", path, body);
  const owner = newAadhaar();
  const aadhaar_enc = encryptFor(String(fieldsOf(await call("GET", "/aeps/key", {}))["public_key_pem"]), owner);
  const registration = {
    ...{ request_id: "first", mobile: "9876500001", email: "a@example.in", first_name: "Asha", last_name: "Patil" },
    ...{ shop_name: "Stores", shop_type: "5411", pan: "ABCPE1234F", bank_account: "12345678901", ifsc: "HDFC0001234" },
    ...{ aadhaar_enc, device: { model: "M", serial: "S" }, ...PLACE },
    address: { line: "1 Road", city: "Pune", state_code: "MH", pincode: "411001" },
  };
  const register = async () => String(outletOf(await post("/aeps/outlets", registration))["outlet_id"]);
  const verified = async () => {
    const outlet_id = await register();
    const { otp_ref } = fieldsOf(await post("/aeps/outlets/otp", { outlet_id }));
    await post("/aeps/outlets/otp_verify", { outlet_id, otp_ref, otp: OTP });
    return outlet_id;
  };
  const biometric = (outlet_id: string) => post("/aeps/outlets/biometric", { outlet_id, pid: PID, ...PLACE });
  const daily = (outlet_id: string) => post("/aeps/auth", { outlet_id, type: "DAILY", aadhaar_enc, pid: PID, ...PLACE });
  return { call, post, owner, registration, register, verified, biometric, daily, logged };
}

function fieldsOf(answer: Answer): Fields {
  return answer.kind === "record" ? answer.fields : {};
}
const outletOf = (answer: Answer) => (fieldsOf(answer)["outlet"] ?? {}) as Fields;

const BUSY = { kind: "refused", error: "busy" };
const repeats = (secret: string) => Promise.reject(new Error(`the provider repeats ${secret}`));

test("an outlet that its provider could not take on is taken on by a repeat, as the same outlet", async () => {
  const taken: NewOutlet[] = [];
  let down = true;
  const registerWithProvider = async (outlet: NewOutlet) => {
    taken.push(outlet);
    return down ? await repeats(outlet.aadhaar) : "CODE";
  };
  const { call, post, registration, owner, logged } = await at({ registerWithProvider });
  expect(await post("/aeps/outlets", registration)).toMatchObject(BUSY);
  const listed = await call("GET", "/aeps/outlets", {});
  const [waiting] = listed.kind === "list" ? listed.items : [];
  const { outlet_id } = waiting ?? {};
  expect(await post("/aeps/outlets/otp", { outlet_id })).toMatchObject(BUSY);
  down = false;
  expect(outletOf(await post("/aeps/outlets", registration))).toMatchObject({ outlet_id, status: "OTP_PENDING" });
  await post("/aeps/outlets", registration);
  expect(taken.map((one) => [one.outletId, one.aadhaar])).toEqual([
    [outlet_id, owner],
    [outlet_id, owner],
  ]);
  expect(logged.join()).toContain("provider query failed");
  expect(logged.join()).not.toContain(owner);
});

test("a password that could not be sent is answered busy", async () => {
  const { post, register } = await at({ sendOtp: ({ code }) => repeats(code) });
  expect(await post("/aeps/outlets/otp", { outlet_id: await register() })).toMatchObject(BUSY);
});

test("a finger that is not its person's is an invalid PID, and changes nothing", async () => {
  const noMatch = async () => ({ kind: "no match" }) as const;
  const { verified, biometric, call } = await at({ checkBiometric: noMatch });
  const outlet_id = await verified();
  expect(await biometric(outlet_id)).toMatchObject({ error: "invalid_pid" });
  expect(outletOf(await call("GET", "/aeps/outlets", { outlet_id }))).toMatchObject({ status: "BIOMETRIC_PENDING" });
  const strict = await at({ authenticate: noMatch });
  const active = await strict.verified();
  await strict.biometric(active);
  expect(await strict.daily(active)).toMatchObject({ error: "invalid_pid" });
});

test("a provider that does not answer about a finger is answered busy, and what it repeats is not logged", async () => {
  const { verified, biometric, logged } = await at({ checkBiometric: ({ pid }: Biometric) => repeats(pid) });
  expect(await biometric(await verified())).toMatchObject(BUSY);
  expect(logged.join()).not.toContain("PidData");
  const other = await at({ authenticate: ({ aadhaar }: Authentication) => repeats(aadhaar) });
  const outlet_id = await other.verified();
  await other.biometric(outlet_id);
  expect(await other.daily(outlet_id)).toMatchObject(BUSY);
  expect(other.logged.join()).not.toContain(other.owner);
});

test("an active outlet that its provider turns down at its next KYC is suspended", async () => {
  let willing = true;
  const { verified, biometric } = await at({
    checkBiometric: async () => (willing ? { kind: "verified" } : { kind: "rejected", reason: "The papers have expired." }),
  });
  const outlet_id = await verified();
  expect(outletOf(await biometric(outlet_id))).toMatchObject({ status: "ACTIVE" });
  willing = false;
  expect(outletOf(await biometric(outlet_id))).toMatchObject({ status: "SUSPENDED", reason: "The outlet was suspended by the bank." });
});

test("an outlet that was suspended while its owner authenticated stays so, and the day is not opened", async () => {
  let meanwhile = async () => {};
  const { verified, biometric, daily, call } = await at({
    authenticate: async () => {
      await meanwhile();
      return { kind: "verified" };
    },
  });
  const outlet_id = await verified();
  await biometric(outlet_id);
  meanwhile = async () => {
    await fixture.orders.owner`update aeps_outlets set state = 'SUSPENDED' where outlet_id = ${outlet_id}`;
  };
  expect(await daily(outlet_id)).toMatchObject({ error: "outlet_not_active" });
  expect(outletOf(await call("GET", "/aeps/outlets", { outlet_id }))).toMatchObject({ status: "SUSPENDED", daily_auth_until: null });
});

test("banks that cannot be listed are answered busy", async () => {
  const { call } = await at({ banks: () => repeats("nothing") });
  expect(await call("GET", "/aeps/banks", {})).toMatchObject(BUSY);
});
