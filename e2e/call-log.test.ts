import postgres from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { get, signedGet } from "./harness/client.ts";
import { until } from "./harness/deadline.ts";
import { type Client, newClient } from "./harness/operator.ts";
import { type Installation, startInstallation } from "./harness/service.ts";

let installation: Installation;
let client: Client;
let sql: postgres.Sql;

beforeAll(async () => {
  installation = await startInstallation();
  sql = postgres(installation.databaseUrl, { max: 1, onnotice: () => {} });
  client = await newClient(installation.service);
});
afterAll(async () => {
  await sql?.end();
  await installation?.close();
});

const rows = () => sql<{ path: string; status: number; error: string | null; signed: string; request_id: string }[]>`
  select path, status, error, signed, request_id from api_calls where account_id = ${client.accountId} order by at, request_id`;
const call = (secret?: string) =>
  get(installation.service.port, "/balance", { token: client.token, headers: secret === undefined ? [] : signedGet("/balance", secret) });

test("a call is in the log a moment after it was answered, under the request id that its reply has", async () => {
  const replies = [await call(), await call(client.secret), await call("sig_wrong")];
  const logged = await until("three calls are in the log", async () => {
    const found = await rows();
    return found.length === 3 ? found : null;
  });
  expect(logged.map((row) => `${row.status} ${row.error} ${row.signed}`)).toEqual([
    "200 null none",
    "200 null secret",
    "401 invalid_signature none",
  ]);
  expect(replies.map((reply) => reply.status)).toEqual([200, 200, 401]);
  const [refused] = await sql<
    { path: string; reason: string }[]
  >`select path, reason from api_refused_signatures where account_id = ${client.accountId}`;
  expect(refused).toMatchObject({ path: "/api/corp/v1/balance", reason: expect.stringContaining("does not match") });
});

test("a service that is stopped writes its last calls and their usage", async () => {
  const before = (await rows()).length;
  for (let count = 0; count < 20; count++) expect((await call()).status).toBe(200);
  await installation.service.stop();
  expect((await rows()).length).toBe(before + 20);
  const [used] = await sql<{ calls: string }[]>`select calls from api_usage where account_id = ${client.accountId} and kind = 'token'`;
  expect(Number(used?.calls)).toBe(before + 20);
});
