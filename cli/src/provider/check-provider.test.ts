import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { readDescription } from "../../../server/src/domain/providers/description/definition.ts";
import { localDescription } from "../../../server/src/domain/providers/twin/local-description.ts";
import { startTwin } from "../../../server/src/domain/providers/twin/start-twin.ts";
import { corprail } from "../../testing/processes.ts";
import { providerFiles } from "../../testing/provider-files.ts";

const RUPEELINK = fileURLToPath(new URL("../../../docs/examples/providers/rupeelink.json", import.meta.url));
const NO_DATABASE = { CORPRAIL_DATA_DIR: "/nowhere/at/all", CORPRAIL_DATABASE_URL: "postgres://nobody@127.0.0.1:1/nothing" };
const SECRETS = "client_id=id-12345\nclient_secret=cs-123456\nwebhook_key=hook-12345\n";

async function provider() {
  const settings = JSON.parse(readFileSync(RUPEELINK, "utf8"));
  settings.operations.balance = {
    request: { url: "/wallet" },
    value: { balance: { path: "wallet.balance", unit: "paise" } },
    samples: { answered: { body: { wallet: { balance: "{balance|paise|number}" } } } },
  };
  const read = readDescription(settings);
  if (!read.ok) throw new Error("The example has faults.");
  const twin = await startTwin(read.definition);
  onTestFinished(() => twin.close());
  const local = localDescription(settings, twin.origin);
  const { file } = providerFiles(local, SECRETS);
  return { twin, local, check: (...given: readonly string[]) => corprail(["provider", "check", file, ...given], NO_DATABASE) };
}

test("the check logs in, asks for the balance, orders nothing and says each step", async () => {
  const { twin, check } = await provider();
  const { code, stdout } = await check();
  expect(code).toBe(0);
  expect(stdout).toMatch(
    /^address +ok +http:\/\/127\.0\.0\.1:\d+\nlogin +ok +the provider gave a token \(HTTP 200\), \d+ ms\nbalance +ok +100000/,
  );
  expect(stdout).toContain("Nothing was ordered.");
  expect(twin.orders()).toEqual([]);
  expect(stdout).not.toMatch(/id-12345|cs-123456|twin-/);
});

test("a provider that is down, a missing secret and an unknown name end with 1 and say why", async () => {
  const { twin, local, check } = await provider();
  await twin.close();
  const down = JSON.parse((await check("--json")).stdout);
  expect(down).toMatchObject({
    ok: false,
    steps: [
      { step: "address", ok: true },
      { step: "login", ok: false, detail: expect.stringContaining("ECONNREFUSED") },
    ],
  });
  const { file } = providerFiles(local, "client_id=id-12345\n");
  expect(await corprail(["provider", "check", file], NO_DATABASE)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("CLIENT_SECRET"),
  });
});

test("a provider with neither login nor balance query cannot be checked, which is not ok", async () => {
  const { local } = await provider();
  const { login: _, operations, headers: __, ...rest } = local as { login: unknown; headers: unknown; operations: Record<string, unknown> };
  const { file } = providerFiles({ ...rest, operations: { "recharge.pay": operations["recharge.pay"] } }, SECRETS);
  const { code, stdout } = await corprail(["provider", "check", file], NO_DATABASE);
  expect([code, stdout]).toEqual([1, expect.stringContaining("neither a login nor a balance query")]);
});
