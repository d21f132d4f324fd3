import { readFile } from "node:fs/promises";
import { join } from "node:path";
import postgres from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { until } from "./harness/deadline.ts";
import { change, newClient } from "./harness/operator.ts";
import { type Installation, type Service, startInstallation } from "./harness/service.ts";

const PASSWORD = "correct horse battery";
const WRONG = "wrong horse battery";
const NEXT = "staple battery horse";

// A mail server that does not answer: links are made, and the log must not hold them.
const ENVIRONMENT = { CORPRAIL_LOG_LEVEL: "trace", CORPRAIL_SMTP_URL: "smtp://127.0.0.1:1" };
let installation: Installation;
let another: Service;
const secrets = [PASSWORD, WRONG, NEXT];

beforeAll(async () => {
  installation = await startInstallation(ENVIRONMENT);
  another = await installation.another(ENVIRONMENT);
});
afterAll(() => installation?.close());

type Reply = { readonly status: number; readonly body: Record<string, unknown>; readonly cookie: string | null };

async function ask(service: Service, path: string, body: object | null, cookie = "", csrf = ""): Promise<Reply> {
  const reply = await fetch(`${service.url}/portal/api${path}`, {
    method: body ? "POST" : "GET",
    body: body && JSON.stringify(body),
    headers: { origin: service.url, cookie, "x-csrf-token": csrf, ...(body ? { "content-type": "application/json" } : {}) },
  });
  const set = reply.headers.get("set-cookie")?.split(";")[0] ?? null;
  if (set) secrets.push(set.split("=")[1] ?? "");
  return { status: reply.status, body: (await reply.json()) as Record<string, unknown>, cookie: set };
}

const tokenOf = (link: string) => {
  const token = link.split("#")[1] ?? "";
  secrets.push(token, token.slice(4));
  return token;
};

test("the first start's link sets up the demo account's owner, once", async () => {
  const { service } = installation;
  const text = await readFile(join(service.dataFolder, "first-run.txt"), "utf8");
  expect(text).toContain(`${service.url}/portal\n`);
  const link = /http\S+\/portal\/invite#inv_[\w-]{43}/.exec(text)?.[0] ?? "";
  expect(link.startsWith(`${service.url}/`)).toBe(true);
  const token = tokenOf(link);
  expect((await ask(service, "/invitations/lookup", { token })).body).toMatchObject({
    email: "owner@demo.example",
    account_name: "Demo",
  });
  const accept = () => ask(service, "/invitations/accept", { token, name: "Demo Owner", password: PASSWORD });
  expect((await accept()).status).toBe(200);
  expect((await accept()).status).toBe(404);
});

test("a session works in every process, and ending it takes effect in all of them", async () => {
  const { service } = installation;
  const { cookie } = await ask(service, "/sign-in", { email: "owner@demo.example", password: PASSWORD });
  const session = await ask(another, "/session", null, cookie ?? "");
  expect(session.body).toMatchObject({ signed_in: true, stage: "full" });
  secrets.push(String(session.body["csrf_token"]));
  expect((await ask(another, "/sign-out", {}, cookie ?? "")).status).toBe(200);
  expect((await ask(service, "/session", null, cookie ?? "")).body).toEqual({ signed_in: false, mode: "trial", mail: true });
});

test("an invitation made with the operator API opens the portal", async () => {
  const client = await newClient(installation.service);
  const made = await change(installation.service, `/accounts/${client.accountId}/portal-invitations`, { email: "asha@shop.example" });
  const token = tokenOf(String(made["invitation_url"]));
  expect((await ask(installation.service, "/invitations/accept", { token, name: "Asha", password: PASSWORD })).status).toBe(200);
});

test("neither logs nor tables hold a password, a cookie, a code or a link of all this", async () => {
  const { service } = installation;
  const signedIn = await ask(service, "/sign-in", { email: "asha@shop.example", password: PASSWORD });
  const cookie = signedIn.cookie ?? "";
  const csrf = String((await ask(service, "/session", null, cookie)).body["csrf_token"]);
  const totp = (await ask(service, "/security/totp/start", {}, cookie, csrf)).body;
  secrets.push(csrf, String(totp["secret"]));
  await ask(service, "/sign-in", { email: "asha@shop.example", password: WRONG });
  await ask(service, "/sign-in", { email: "asha@shop.example", password: { wrong: WRONG } });
  expect((await ask(service, `/no-such-call/${cookie}`, null, cookie)).status).toBe(404);
  const invited = await ask(service, "/team/invitations", { email: "ravi@shop.example", role: "developer" }, cookie, csrf);
  tokenOf(String(invited.body["link"]));
  await ask(service, "/password", { current: PASSWORD, next: NEXT }, cookie, csrf);
  await ask(service, "/password/reset-request", { email: "asha@shop.example" });
  const logged = () => service.output() + another.output();
  const notSentTo = (masked: string) =>
    logged()
      .split("\n")
      .some((line) => line.includes("mail not sent") && line.includes(masked));
  await until("both mails are logged as not sent", () => notSentTo("r***@shop.example") && notSentTo("a***@shop.example"));
  const output = logged();
  expect(output).toContain("r***@shop.example");
  expect(output).not.toMatch(/ravi@|asha@|#inv_|#rst_/);
  const sql = postgres(installation.databaseUrl, { max: 1 });
  const tables = ["users", "invitations", "password_resets", "sessions", "user_totps", "audit_log", "sign_in_attempts"];
  const rows: string[] = [];
  for (const table of tables) rows.push(JSON.stringify(await sql.unsafe(`select t::text as row from ${table} t`)));
  await sql.end();
  expect(secrets.filter((secret) => secret.length > 10).length).toBeGreaterThan(12);
  for (const secret of secrets.filter((text) => text !== ""))
    for (const form of [secret, Buffer.from(secret).toString("hex")]) {
      expect(output.includes(form)).toBe(false);
      expect(rows.join("").includes(form)).toBe(false);
    }
});
