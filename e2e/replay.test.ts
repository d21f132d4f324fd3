import postgres from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { BAD_SIGNATURE, caughtUp, expectAnswered, expectRefusal, GET_ROUTES, getWhenFree, signedGet } from "./harness/client.ts";
import { type Client, newClient } from "./harness/operator.ts";
import { type Installation, type Service, sharedInstallation } from "./harness/service.ts";
import { hmac, newNonce, nowSeconds } from "./harness/sign.ts";

let installation: Installation;
let second: Service;
let sql: postgres.Sql;
beforeAll(async () => {
  installation = await sharedInstallation();
  second = await installation.another();
  sql = postgres(installation.databaseUrl, { max: 2, onnotice: () => {} });
});
afterAll(async () => {
  await sql?.end();
  await installation?.close();
});

const first = () => installation.service;

/** An account that both processes know. */
async function sharedClient(): Promise<Client> {
  const client = await newClient(first());
  await caughtUp(first(), second);
  return client;
}

async function nonceCount(client: Client): Promise<number> {
  const [row] = await sql`select count(*)::int as count from request_nonces where account_id = ${client.accountId}`;
  return Number(row?.["count"]);
}

test.each(GET_ROUTES)("GET %s sent twice is refused the second time, also with another signature over the same nonce", async (path) => {
  const client = await newClient(first());
  const nonce = newNonce();
  const headers = signedGet(path, client.secret, { nonce });
  expectAnswered(await getWhenFree(first().port, path, { token: client.token, headers }));
  expectRefusal(await getWhenFree(first().port, path, { token: client.token, headers }), BAD_SIGNATURE);
  const later = signedGet(path, client.secret, { nonce, timestamp: String(nowSeconds() + 1) });
  expectRefusal(await getWhenFree(first().port, path, { token: client.token, headers: later }), BAD_SIGNATURE);
  expectAnswered(await getWhenFree(first().port, path, { token: client.token, headers: signedGet(path, client.secret) }));
});

test("of fifty at once with one nonce, over two processes, one is answered", async () => {
  const client = await sharedClient();
  const headers = signedGet("/services", client.secret);
  const replies = await Promise.all(
    Array.from({ length: 50 }, (_, at) =>
      getWhenFree(at % 2 === 0 ? first().port : second.port, "/services", { token: client.token, headers }),
    ),
  );
  expect(replies.filter((reply) => reply.status === 200)).toHaveLength(1);
  for (const reply of replies) if (reply.status !== 200) expectRefusal(reply, BAD_SIGNATURE);
});

test("a nonce used in one process is used in the other", async () => {
  const client = await sharedClient();
  const headers = signedGet("/services", client.secret);
  expectAnswered(await getWhenFree(first().port, "/services", { token: client.token, headers }));
  expectRefusal(await getWhenFree(second.port, "/services", { token: client.token, headers }), BAD_SIGNATURE);
});

test("a nonce stays used after a restart, also after kill -9", async () => {
  const client = await newClient(first());
  const headers = signedGet("/services", client.secret);
  const killed = await installation.another();
  expectAnswered(await getWhenFree(killed.port, "/services", { token: client.token, headers }));
  await killed.kill();
  const restarted = await installation.another();
  expectRefusal(await getWhenFree(restarted.port, "/services", { token: client.token, headers }), BAD_SIGNATURE);
  await restarted.stop();
});

test("a request dated into the future cannot be sent again more than five minutes later", async () => {
  const client = await sharedClient();
  const timestamp = String(nowSeconds() + 290);
  const headers = signedGet("/services", client.secret, { timestamp });
  expectAnswered(await getWhenFree(first().port, "/services", { token: client.token, headers }));
  // At 400 seconds from now the timestamp is 110 seconds old: fresh, so only the nonce can refuse it.
  const later = await installation.another({ CORPRAIL_CLOCK_OFFSET_SECONDS: "400" });
  expectAnswered(
    await getWhenFree(later.port, "/services", { token: client.token, headers: signedGet("/services", client.secret, { timestamp }) }),
  );
  const reply = await getWhenFree(later.port, "/services", { token: client.token, headers });
  expectRefusal(reply, BAD_SIGNATURE);
  expect(reply.json()["message"]).toContain("nonce");
});

test("another account may use the same nonce", async () => {
  const [one, other] = [await newClient(first()), await newClient(first())];
  const nonce = newNonce();
  for (const client of [one, other]) {
    expectAnswered(
      await getWhenFree(first().port, "/services", { token: client.token, headers: signedGet("/services", client.secret, { nonce }) }),
    );
  }
});

test("signatures that do not verify leave nothing in the store, and do not use a nonce up", async () => {
  const client = await newClient(first());
  const nonce = newNonce();
  const wrong = [
    signedGet("/services", `${client.secret}x`, { nonce }),
    signedGet("/operators", client.secret, { nonce }),
    signedGet("/services", client.secret, { nonce, timestamp: String(nowSeconds() - 4000) }),
    signedGet("/services", client.secret, { nonce }).filter(([name]) => name !== "X-Api-Timestamp"),
    ...Array.from({ length: 30 }, () => signedGet("/services", hmac("x", newNonce()))),
  ];
  const replies = await Promise.all(wrong.map((headers) => getWhenFree(first().port, "/services", { token: client.token, headers })));
  for (const reply of replies) expectRefusal(reply, BAD_SIGNATURE);
  expect(await nonceCount(client)).toBe(0);
  expectAnswered(
    await getWhenFree(first().port, "/services", { token: client.token, headers: signedGet("/services", client.secret, { nonce }) }),
  );
  expect(await nonceCount(client)).toBe(1);
});

test("a call from a wrong address or with a wrong token does not use its nonce up", async () => {
  const client = await newClient(first(), { allowlist: ["127.0.0.1"] });
  const headers = signedGet("/services", client.secret);
  expect((await getWhenFree(first().port, "/services", { token: client.token, headers, from: "127.0.0.2" })).status).toBe(403);
  expect((await getWhenFree(first().port, "/services", { token: `${client.token}x`, headers })).status).toBe(401);
  expectAnswered(await getWhenFree(first().port, "/services", { token: client.token, headers }));
});
