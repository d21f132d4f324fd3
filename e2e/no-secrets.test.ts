import postgres from "postgres";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { get, type Header, PREFIX, signedGet } from "./harness/client.ts";
import { until } from "./harness/deadline.ts";
import { type Client, change, newCallbackSecret, newClient, newSigningSecret, operator } from "./harness/operator.ts";
import { connect, exchange, requestText } from "./harness/raw-http.ts";
import { type Installation, startInstallation } from "./harness/service.ts";
import { signatureHeaders } from "./harness/sign.ts";

let installation: Installation;
let client: Client;
let sql: postgres.Sql;
const secrets: string[] = [];
const signatures: string[] = [];

beforeAll(async () => {
  installation = await startInstallation({ CORPRAIL_LOG_LEVEL: "trace" });
  sql = postgres(installation.databaseUrl, { max: 1, onnotice: () => {} });
  const { service } = installation;
  const settings = { money_per_minute: 10_000, get_per_minute: 10_000 };
  client = await newClient(service, { settings });
  const old = client.token;
  const token = String((await change(service, `/accounts/${client.accountId}/token`))["api_token"]);
  const secret = await newSigningSecret(service, client.accountId);
  const callback = [await newCallbackSecret(service, client.accountId), await newCallbackSecret(service, client.accountId)];
  const sandbox = await newClient(service, { sandbox: true });
  const key = String((await change(service, "/keys", { name: "Nightly job" }))["api_key"]);
  secrets.push(old, token, client.secret, secret, ...callback, sandbox.token, sandbox.secret, key, service.operatorKey);
  client = { ...client, token, secret };
  await goodCalls();
  for (const credential of secrets) await misplaced(credential);
  await faults();
});
afterAll(async () => {
  await sql?.end();
  await installation?.close();
});

const port = () => installation.service.port;

function signed(path: string): readonly Header[] {
  const headers = signedGet(path, client.secret);
  signatures.push(...headers.filter(([name]) => name === "X-Api-Signature").map(([, value]) => value));
  return headers;
}

async function goodCalls(): Promise<void> {
  for (const path of ["/services", "/operators"]) {
    expect((await get(port(), path, { token: client.token, headers: signed(path) })).status).toBe(200);
    expect((await get(port(), path, { query: `token=${client.token}` })).status).toBe(200);
    expect((await get(port(), path, { headers: [["Authorization", `Bearer ${client.token}`]] })).status).toBe(200);
  }
}

const escaped = (text: string) => text.replaceAll("_", "%5F").replaceAll("-", "%2D");

/** A credential in every place of a request that it has no business in. */
async function misplaced(credential: string): Promise<void> {
  const bare = credential.replace(/^(tok_live|tok_test|sig|cbk|opk)_/, "");
  const [signature = ""] = signatures;
  const targets = [credential, bare, escaped(credential), `x${credential}`, `%20${credential}`, signature].flatMap((text) => [
    `${PREFIX}/${text}`,
    `${PREFIX}/services/${text}`,
    `/${text}`,
    `/api/operator/v1/accounts/${text}`,
    `${PREFIX}/services?${text}=1`,
    `${PREFIX}/services?limit=${text}&after=${text}&urid=${text}`,
    `http://${text}@127.0.0.1/`,
  ]);
  const headers: readonly Header[] = [
    "X-Api-Token",
    "Authorization",
    "X-Forwarded-For",
    "User-Agent",
    "Referer",
    "Cookie",
    "X-Api-Nonce",
    "X-Api-Signature",
    "X-Request-Id",
  ].map((name) => [name, credential] as const);
  for (const target of targets)
    await exchange(
      port(),
      requestText("GET", target, [
        ["Host", "a"],
        ["X-Api-Token", client.token],
      ]),
    );
  for (const [name, value] of headers)
    await exchange(
      port(),
      requestText("GET", `${PREFIX}/services`, [
        ["Host", "a"],
        [name, value],
      ]),
    );
  for (const body of [
    JSON.stringify({ urid: credential, account: credential, [credential]: [credential] }),
    `{"urid":"${credential}`,
    credential,
  ]) {
    const length = String(Buffer.byteLength(body));
    const sent = [
      ["Host", "a"],
      ["X-Api-Token", client.token],
      ["Content-Type", "application/json"],
      ["Content-Length", length],
    ] as const;
    for (const path of [`${PREFIX}/services`, `${PREFIX}/recharge`]) await exchange(port(), requestText("POST", path, sent, body));
    const asOperator = [["Host", "a"], ["Authorization", `Bearer ${installation.service.operatorKey}`], ...sent.slice(2)] as const;
    await exchange(port(), requestText("POST", `/api/operator/v1/accounts/${client.accountId}`, asOperator, body));
  }
  for (const garbage of [
    `${credential}\r\n\r\n`,
    `GET /${credential} HTTP/1.1\r\nHost: a\r\n${credential}\r\n\r\n`,
    `GET / HTTP/1.1\r\nHost: ${credential}\r\n\r\n`,
  ])
    await exchange(port(), garbage);
  await fetch(`${installation.service.url}/metrics`, { headers: { authorization: `Bearer ${credential}` } });
  const wrong = signatureHeaders({ method: "GET", path: `${PREFIX}/services`, secret: credential });
  signatures.push(...wrong.filter(([name]) => name === "X-Api-Signature").map(([, value]) => value));
  await get(port(), "/services", { token: client.token, headers: wrong });
}

/** Requests that end in an internal error, with a stack trace in the log, and requests while the database is away. */
async function faults(): Promise<void> {
  const path = "/complaints";
  await sql`alter table complaints rename to complaints_gone`;
  expect((await get(port(), path, { token: client.token, headers: signed(path) })).status).toBe(500);
  await sql`alter table complaints_gone rename to complaints`;
  const admin = postgres(inject("databaseUrl"), { max: 1, onnotice: () => {} });
  const name = new URL(installation.databaseUrl).pathname.slice(1);
  await admin.unsafe(`alter database ${name} allow_connections false`);
  await admin`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${name}`;
  await until(
    "calls are refused while the database is away",
    async () => (await get(port(), "/services", { token: client.token, headers: signed("/services") })).status === 503,
  );
  await operator({ ...installation.service, operatorKey: secrets.at(-2) ?? "" }, "GET", "/accounts").catch(() => null);
  await admin.unsafe(`alter database ${name} allow_connections true`);
  await admin.end();
  await until("calls are answered again", async () => (await get(port(), "/services", { token: client.token })).status === 200);
  const left = await connect(port());
  left.send(`GET ${PREFIX}/services?token=${client.token} HTTP/1.1\r\nX-Api-Token: ${client.token}\r\n`);
  left.destroy();
}

/** Every spelling under which a credential could have been kept. */
function spellings(): readonly string[] {
  return [
    ...secrets.flatMap((secret) => {
      const bare = secret.replace(/^(tok_live|tok_test|sig|cbk|opk)_/, "");
      const raw = Buffer.from(bare, "base64url");
      return [
        bare,
        escaped(bare),
        Buffer.from(secret).toString("hex"),
        Buffer.from(bare).toString("hex"),
        raw.toString("hex"),
        Buffer.from(secret).toString("base64url"),
      ];
    }),
    ...signatures,
  ];
}

function expectClean(place: string, text: string): void {
  const folded = text.toLowerCase();
  for (const spelling of spellings()) if (folded.includes(spelling.toLowerCase())) expect.fail(`${place} shows ${spelling}`);
}

test("the search would find what it looks for", () => {
  expect(secrets.length).toBe(10);
  expect(signatures.length).toBeGreaterThan(10);
  const [secret = ""] = secrets;
  expect(() => expectClean("this text", `x${secret}x`)).toThrow("this text shows");
  expect(() => expectClean("this text", Buffer.from(secret).toString("hex"))).toThrow("this text shows");
});

test("the log shows no token, secret, key or signature, though it tells of every request and fault", async () => {
  // The log is written a little after the replies.
  await until("the faults are in the log", () => installation.service.output().includes(`"error":"internal_error"`));
  const output = installation.service.output();
  expect(output).toContain(`"error":"token_invalid"`);
  expect(output).toContain("[long]");
  expect(output.split("\n").length).toBeGreaterThan(500);
  expectClean("The log", output);
});

test("the metrics show none", async () => {
  const reply = await fetch(`${installation.service.url}/metrics`, {
    headers: { authorization: `Bearer ${installation.service.operatorKey}` },
  });
  const text = await reply.text();
  expect(text).toContain("corprail_refusals_total");
  expectClean("/metrics", text);
});

test.each(["/accounts?limit=200", "/keys?limit=200", "/audit?limit=200"])("the operator's GET %s shows none", async (path) => {
  const reply = await operator(installation.service, "GET", path);
  expect(reply.status).toBe(200);
  expect((reply.body["items"] as unknown[]).length).toBeGreaterThan(0);
  expectClean(path, JSON.stringify(reply.body));
});

test("the operator's view of the account shows none", async () => {
  const reply = await operator(installation.service, "GET", `/accounts/${client.accountId}`);
  expect(reply.status).toBe(200);
  expectClean("The account", JSON.stringify(reply.body));
});

test("no column of any table holds one in clear", async () => {
  const tables = await sql<
    { name: string }[]
  >`select quote_ident(tablename) as name from pg_tables where schemaname = 'public' order by tablename`;
  expect(tables.map((table) => table.name)).toEqual(
    expect.arrayContaining(["accounts", "audit_log", "credentials", "request_nonces", "operator_keys"]),
  );
  for (const { name } of tables) {
    const rows = await sql.unsafe<{ text: string }[]>(`select one::text as text from ${name} one`);
    expectClean(`The table ${name}`, rows.map((row) => row.text).join("\n"));
  }
});
