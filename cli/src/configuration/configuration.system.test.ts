import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { stringify } from "yaml";
import { connect } from "../../../server/src/platform/db/connection.ts";
import { corprailHere } from "../../testing/in-process.ts";
import { type Ended, OPERATOR_KEY, type Serving, serving, temporaryFolder, type Variables } from "../../testing/processes.ts";
import { description } from "../../testing/provider-files.ts";

const MINUTES = 60_000;

type Api = (method: "GET" | "POST", path: string, body?: object, key?: string) => Promise<Readonly<Record<string, unknown>>>;

function apiOf({ base }: Serving): Api {
  return async (method, path, body, key = OPERATOR_KEY) => {
    const reply = await fetch(`${base}/api/operator/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, ...(body ? { "content-type": "application/json" } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    return (await reply.json()) as Readonly<Record<string, unknown>>;
  };
}

type Run = (...given: readonly string[]) => Promise<Ended & { readonly result: Readonly<Record<string, unknown>> }>;

function runOf({ base }: Serving, more: Variables): Run {
  return async (...given) => {
    const ended = await corprailHere([...given, "--json"], { CORPRAIL_BASE_URL: base, CORPRAIL_OPERATOR_KEY: OPERATOR_KEY, ...more });
    return { ...ended, result: JSON.parse(ended.stdout) as Readonly<Record<string, unknown>> };
  };
}

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "corprail-settings-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const write = (folder: string, kind: string, items: readonly object[]) =>
  writeFileSync(join(folder, `${kind.replaceAll("_", "-")}.yaml`), stringify({ kind, items }));

const edit = (path: string, from: string, to: string) => {
  const text = readFileSync(path, "utf8");
  expect(text).toContain(from);
  writeFileSync(path, text.replace(from, to));
};

const states = ({ result }: { readonly result: Readonly<Record<string, unknown>> }) =>
  (result["applied"] as { kind: string; name: string; state: string }[]).map(({ kind, name, state }) => `${state} ${kind} ${name}`);

test("settings are exported, changed in files, planned and applied; a second apply changes nothing", { timeout: 4 * MINUTES }, async () => {
  const service = await serving({ CORPRAIL_DATA_DIR: temporaryFolder() });
  const [api, run] = [apiOf(service), runOf(service, { QUICKPAY_TOKEN: "sh-much-secret" })];
  const folder = newFolder();
  expect(await run("export", folder)).toMatchObject({ code: 0 });
  expect(await run("plan", folder)).toMatchObject({ code: 0, result: { ok: true, differences: 0 } });

  // A provider with a secret, a route to it, prices, a client's limit, a switch and a threshold.
  const definition = description("quickpay");
  writeFileSync(
    join(folder, "providers", "quickpay.json"),
    JSON.stringify({ kind: "providers", items: [{ provider: "quickpay", definition, secrets: { token: { env: "QUICKPAY_TOKEN" } } }] }),
  );
  edit(join(folder, "routes.yaml"), "items:", "items:\n  - { service: recharge, operator: AT, provider: quickpay, priority: 5 }");
  write(folder, "prices", [
    { service: "recharge", commission: { percent: "1.5" } },
    { service: "recharge", commission: { percent: "2" }, valid_from: "2999-01-01" },
  ]);
  edit(join(folder, "clients.yaml"), "daily_limit: null", 'daily_limit: "5000"');
  edit(join(folder, "alert-rules.yaml"), "pending_orders: 20", "pending_orders: 7");
  const plan = join(folder, ".plan.json");
  const planned = await run("plan", folder, "--out", plan);
  expect(planned).toMatchObject({ code: 2, result: { ok: false, differences: 6 } });
  expect(planned.stdout + readFileSync(plan, "utf8")).not.toContain("sh-much-secret");

  const applied = await run("apply", plan, "--alert-on-drift");
  expect(applied.code, applied.stderr).toBe(0);
  expect(applied.stdout).not.toContain("sh-much-secret");
  expect(await api("GET", "/providers/quickpay")).toMatchObject({ enabled: true, secrets: [{ name: "token", set: true }] });
  expect(await run("plan", folder)).toMatchObject({ code: 0, result: { differences: 0 } });
  const audit = async () => ((await api("GET", "/audit?limit=1"))["items"] as { seq: string }[])[0]?.seq;
  const before = await audit();
  expect(await run("apply", folder, "--yes")).toMatchObject({ code: 0, result: { applied: [] } });
  expect(await audit()).toBe(before);
  expect(await run("plan", "--drift")).toMatchObject({ code: 0 });

  // The saved plan is for a state that has passed, and a change elsewhere is drift.
  expect(await run("apply", plan)).toMatchObject({ code: 1, result: { error: expect.stringContaining("have changed since the plan") } });
  await api("POST", "/alert-settings", { pending_orders: 9 });
  expect(await run("plan", "--drift")).toMatchObject({ code: 2, result: { drift: expect.stringContaining("alert_rules settings") } });
  expect(await run("apply", folder, "--yes")).toMatchObject({ code: 0 });

  // Removal only on demand; a provider is switched off, because orders refer to it.
  rmSync(join(folder, "providers", "quickpay.json"));
  edit(join(folder, "routes.yaml"), "\n  - { service: recharge, operator: AT, provider: quickpay, priority: 5 }", "");
  write(folder, "prices", []);
  expect(await run("apply", folder, "--yes")).toMatchObject({ code: 0, result: { applied: [] } });
  expect(states(await run("apply", folder, "--yes", "--remove"))).toHaveLength(4);
  expect(await run("plan", folder)).toMatchObject({ code: 0 });
  expect(await api("GET", "/providers/quickpay")).toMatchObject({ enabled: false, routes: 0 });
  expect(((await api("GET", "/pricing?state=in_force"))["items"] as unknown[]).length).toBe(0);
});

test("what needs a second person waits, later applies go on, and a failure says what was done", { timeout: 4 * MINUTES }, async () => {
  const data = temporaryFolder();
  const service = await serving({ CORPRAIL_DATA_DIR: data });
  const [api, run] = [apiOf(service), runOf(service, {})];
  const other = await api("POST", "/keys", { name: "second person" });
  // A key counts as the person who created it.
  const database = connect({ url: readFileSync(join(data, "database-url"), "utf8").trim(), connections: 1, role: null });
  await database.sql`
    insert into users (user_id, realm, email, name, role, created_at, updated_at)
    values ('somebody-else', 'console', 'somebody@corprail.example', 'Ravi', 'admin', now(), now())`;
  await database.sql`update operator_keys set created_by = 'staff:somebody-else'`;
  await database.close();
  await api("POST", "/approval-rules", { wallet_threshold: "1000", keys_included: true, pricing_included: true, new_person_hours: 0 });
  const folder = newFolder();
  write(folder, "prices", [{ service: "recharge", commission: { percent: "1.5" } }]);
  write(folder, "operators", [{ operator: "AT", enabled: false }]);

  const first = await run("apply", folder, "--yes");
  expect(first.code, first.stderr).toBe(4);
  expect(states(first)).toEqual(["done operators AT", "waiting prices */recharge/*"]);
  expect(states(await run("apply", folder, "--yes"))).toEqual(["waiting prices */recharge/*"]);
  const waiting = (await api("GET", "/approvals?state=waiting"))["items"] as { approval_id: string }[];
  expect(waiting).toHaveLength(1);
  const key = String(other["api_key"]);
  expect(await api("POST", `/approvals/${waiting[0]?.approval_id}/approve`, { reason: "Agreed." }, key)).toMatchObject({ state: "done" });
  expect(await run("apply", folder, "--yes")).toMatchObject({ code: 0, result: { applied: [] } });

  // The service refuses the second of three changes: the first is made, the third is not tried, and a corrected file completes it.
  write(folder, "operators", [{ operator: "AT", enabled: true }]);
  write(folder, "routes", [
    { service: "*", operator: "*", provider: "simulator" },
    { service: "recharge", operator: "AT", provider: "nobody" },
  ]);
  write(folder, "alert_rules", [{ pending_orders: 3 }]);
  const partly = await run("apply", folder, "--yes");
  expect(partly.code).toBe(1);
  expect(states(partly)).toEqual(["done operators AT", "failed routes recharge/AT/nobody", "not_tried alert_rules settings"]);
  write(folder, "routes", [{ service: "*", operator: "*", provider: "simulator" }]);
  expect(states(await run("apply", folder, "--yes"))).toEqual(["done alert_rules settings"]);
});
