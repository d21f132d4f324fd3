import { writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import postgres from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { BAD_SIGNATURE, expectAnswered, expectRefusal, get, signedGet } from "./harness/client.ts";
import { until } from "./harness/deadline.ts";
import { newClient } from "./harness/operator.ts";
import { type Installation, startInstallation, temporaryFolder } from "./harness/service.ts";
import { nowSeconds } from "./harness/sign.ts";

// Within the sixty seconds that are tolerated.
const AHEAD_SECONDS = 58;
const FRESH_SECONDS = 300;

let folder: string;
let installation: Installation;
let sql: postgres.Sql;
beforeAll(async () => {
  folder = await temporaryFolder("corprail-clock-");
  const ahead = join(folder, "ahead.mjs");
  writeFileSync(ahead, `const real = Date.now; Date.now = () => real() + ${AHEAD_SECONDS * 1000};`);
  installation = await startInstallation({ NODE_OPTIONS: `--import=${ahead}` });
  sql = postgres(installation.databaseUrl, { max: 1, onnotice: () => {} });
});
afterAll(async () => {
  await sql?.end();
  await installation?.close();
  await rm(folder, { recursive: true, force: true });
});

test("a request cannot be sent again after a process whose clock is ahead has removed old nonces", async () => {
  const ahead = installation.service;
  const client = await newClient(ahead);
  // By the clock that is ahead it is over already, by the other one it is fresh for as long as that is ahead.
  const timestamp = String(nowSeconds() - FRESH_SECONDS + AHEAD_SECONDS - 1);
  const headers = signedGet("/services", client.secret, { timestamp });
  expectAnswered(await get(ahead.port, "/services", { token: client.token, headers }));
  await sql`insert into request_nonces (account_id, nonce, expires_at) values ('A', 'long over', ${nowSeconds() - FRESH_SECONDS})`;
  // Nonces are removed every 30 seconds, by a new process not before that: so it is the other one that does it.
  const onTime = await installation.another();
  await until(
    "old nonces are removed",
    async () => ((await sql`select from request_nonces where nonce = 'long over'`).length === 0 ? true : null),
    40_000,
  );
  const reply = await get(onTime.port, "/services", { token: client.token, headers });
  // With another nonce the timestamp is still good, so it is the nonce that refuses it.
  const fresh = signedGet("/services", client.secret, { timestamp });
  expectAnswered(await get(onTime.port, "/services", { token: client.token, headers: fresh }));
  expectRefusal(reply, BAD_SIGNATURE);
  expect(reply.json()["message"]).toContain("nonce");
});
