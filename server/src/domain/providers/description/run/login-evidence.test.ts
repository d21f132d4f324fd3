import { expect, test } from "vitest";
import type { ProviderExchange } from "../../connector.ts";
import { NEVER, providerRequest } from "../../testing/requests.ts";
import { describedProvider } from "../testing/provider.ts";

const outcome = [{ when: { status: "OK" }, means: "success" }];
const status = { request: { url: "/status", query: { ref: "{reference}" } }, outcome };
const pay = { request: { url: "/pay", query: { ref: "{reference}" } }, outcome, status };

/** The evidence of a login that is answered with this body. */
async function evidenceOf(body: unknown, login: object): Promise<string> {
  const request = { url: "/login", body: { form: { key: "{secret.key}" } } };
  const { connector } = await describedProvider(
    { login: { request, ...login }, headers: { "x-token": "{token}" }, operations: { "recharge.pay": pay } },
    ({ path }) => ({ body: path === "/login" ? body : { status: "OK" } }),
  );
  const kept: ProviderExchange[] = [];
  await connector.send(providerRequest(), NEVER, (one) => kept.push(one));
  const [first] = kept;
  return first?.reply?.split("\n\n")[1] ?? "";
}

test("the evidence of a login says how it ended, and hides the token whatever its field is called", async () => {
  const session = { result_code: "00", authStatus: "SUCCESS", message: "Welcome", id: "abc-def-ghi-0001", number: "77", refresh: "zzz" };
  expect(JSON.parse(await evidenceOf({ session }, { token: { paths: ["session.id", "session.number"], join: "~" } }))).toEqual({
    session: {
      ...{ result_code: "00", authStatus: "SUCCESS", message: "Welcome" },
      ...{ id: "[hidden]", number: "[hidden]", refresh: "[hidden]" },
    },
  });
  expect(JSON.parse(await evidenceOf({ code: 0, value: "t0k", again: "t0k" }, { token: "value" }))).toMatchObject({
    code: 0,
    value: "[hidden]",
  });
});

test("a refused login shows the provider's code and words, and neither codes that are keys nor our secrets", async () => {
  const said = { auth: { error_code: "E17", message: "bad key much-secret-key-of-ours", auth_code: "A1B2C3", otp_code: "123456" } };
  expect(JSON.parse(await evidenceOf(said, { token: "token" }))).toEqual({
    auth: { error_code: "E17", message: "bad key [hidden]", auth_code: "[hidden]", otp_code: "[hidden]" },
  });
});

test("the same holds for XML and for forms", async () => {
  const xml = "<Session><ResultCode>0</ResultCode><Id>abcdefghijk</Id><Other>zzzz</Other></Session>";
  expect(await evidenceOf(xml, { read: { format: "xml" }, token: "Session.Id" })).toBe(
    "<Session><ResultCode>0</ResultCode><Id>[hidden]</Id><Other>[hidden]</Other></Session>",
  );
  expect(await evidenceOf("auth_status=OK&sid=abcdefghijk&auth_code=77", { read: { format: "form" }, token: "sid" })).toBe(
    "auth_status=OK&sid=[hidden]&auth_code=[hidden]",
  );
});
