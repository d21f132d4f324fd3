import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { verifyAudit } from "../../../server/src/domain/audit/verify.ts";
import { unsealSecrets } from "../../../server/src/domain/providers/settings/provider-secrets.ts";
import { readProviders, readRoutes, sealedOf } from "../../../server/src/domain/providers/store.ts";
import { loadVault } from "../../../server/src/platform/crypto/vault.ts";
import { type TestInstallation, testInstallation } from "../../testing/installation.ts";
import { corprail, type Ended, temporaryFolder, type Variables } from "../../testing/processes.ts";
import { description, providerFiles } from "../../testing/provider-files.ts";

let installation: TestInstallation;
beforeEach(async () => {
  installation = await testInstallation();
});

const provider = (given: readonly string[], variables: Variables = {}) =>
  corprail(["provider", ...given], { ...installation.variables, ...variables });

async function providerJson(given: readonly string[], variables: Variables = {}) {
  return JSON.parse((await provider([...given, "--json"], variables)).stdout);
}

async function saved(name: string) {
  const row = (await readProviders(installation.database.sql)).find((one) => one.provider === name);
  if (!row) return null;
  return { row, secrets: await unsealSecrets(await loadVault(installation.keyFile), name, sealedOf(row)) };
}

const audited = () => installation.database.sql<{ actor: string; action: string; details: string }[]>`
  select actor, action, details from audit_log where subject_kind = 'provider' order by seq`;

function nothingOf(secret: string, ...ended: readonly Ended[]): void {
  for (const { stdout, stderr } of ended) expect(stdout + stderr).not.toContain(secret);
}

test("a saved provider has its secrets sealed in the database, and the audit log names the user but no secret", async () => {
  const { file } = providerFiles(description("acme"), "token=sh-much-secret\n");
  const first = await provider(["save", file]);
  expect(first).toMatchObject({ code: 0, stdout: "The provider acme is added. Secrets set: token.\n" });
  expect(first.stderr).toBe("It has no route. Next: corprail provider route SERVICE OPERATOR acme\n");
  const found = await saved("acme");
  expect(found).toMatchObject({ row: { connector: "description", enabled: true }, secrets: { token: "sh-much-secret" } });
  expect(found?.row.settings).toEqual(description("acme"));
  const trail = await audited();
  expect(trail).toEqual([{ actor: expect.stringMatching(/^cli:./), action: "provider.created", details: expect.any(String) }]);
  nothingOf("sh-much-secret", first, await provider(["list"]), await provider(["list", "--json"]));
  expect(JSON.stringify([trail, found?.row.settings])).not.toContain("sh-much-secret");
  expect((await verifyAudit(installation.database.sql)).ok).toBe(true);
});

test("the environment's secret goes before the file's, and one that is not found or empty stays as it was", async () => {
  const { file, folder } = providerFiles(description("acme"), "token=from-file\n");
  await provider(["save", file], { CORPRAIL_PROVIDER_ACME_TOKEN: "from-environment" });
  expect((await saved("acme"))?.secrets).toEqual({ token: "from-environment" });
  writeFileSync(join(folder, "acme.secrets"), "token=\n");
  writeFileSync(file, JSON.stringify({ ...description("acme"), polling: { quiet_seconds: 7 } }));
  expect(await providerJson(["save", file])).toEqual({
    ok: true,
    provider: "acme",
    connector: "description",
    created: false,
    enabled: true,
    secrets: ["token"],
    fault: null,
    warnings: [],
  });
  expect(await saved("acme")).toMatchObject({
    row: { settings: { polling: { quiet_seconds: 7 } } },
    secrets: { token: "from-environment" },
  });
});

test("a provider whose secret is missing is saved, and what it lacks is said", async () => {
  const { file } = providerFiles(description("acme"));
  const { code, stderr } = await provider(["save", file]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining("CORPRAIL_PROVIDER_ACME_TOKEN") });
  expect(await providerJson(["route", "recharge", "AT", "acme"])).toMatchObject({ plan: { providers: [] } });
});

test("a connector and its settings can be saved from a small file", async () => {
  const settings = { base_url: "https://upstream.example", quiet_ms: 1000 };
  const { file } = providerFiles({ name: "partner", connector: "corprail", ...settings }, "token=t1\nsigning_secret=s1\n");
  expect(await provider(["save", file])).toMatchObject({ code: 0 });
  expect(await saved("partner")).toMatchObject({
    row: { connector: "corprail", settings },
    secrets: { token: "t1", signing_secret: "s1" },
  });
});

test("a faulty file is named fault by fault and changes nothing", async () => {
  const { file } = providerFiles({ ...description("acme"), colour: 1, polling: { quiet_seconds: -1 } }, "token=t1\n");
  const { code, stdout, stderr } = await provider(["save", file]);
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toMatch(/colour: /);
  expect(stderr).toMatch(/polling.quiet_seconds: /);
  expect(await saved("acme")).toBeNull();
  expect(await audited()).toEqual([]);
  const simulator = providerFiles(description("simulator"));
  expect(await provider(["save", simulator.file])).toMatchObject({ code: 1, stderr: expect.stringContaining("cannot be changed") });
});

test("a route is saved, keeps what is not given again, and goes away; each time its routing plan is shown", async () => {
  await provider(["save", providerFiles(description("acme"), "token=t1\n").file]);
  const key = { service: "recharge", operator: "AT", provider: "acme" };
  const plan = (...providers: string[]) => ({ plan: { service: "recharge", operator: "AT", providers } });
  const route = ["route", "recharge", "AT", "acme"];
  expect(await providerJson([...route, "--priority", "7"])).toEqual({
    ok: true,
    ...key,
    priority: 7,
    weight: 100,
    enabled: true,
    mode: "live",
    went_live: true,
    ...plan("acme"),
  });
  expect(await providerJson([...route, "--weight", "30"])).toMatchObject({ priority: 7, weight: 30, went_live: false });
  await provider(["save", providerFiles(description("beta"), "token=t1\n").file]);
  expect(await providerJson(["route", "recharge", "AT", "beta"])).toMatchObject(plan("acme", "beta"));
  expect(await readRoutes(installation.database.sql)).toContainEqual({ ...key, priority: 7, weight: 30, enabled: true });
  await provider(["unroute", "recharge", "AT", "beta"]);
  expect(await provider(["unroute", "recharge", "AT", "acme"])).toMatchObject({
    code: 0,
    stdout: "The route was deleted. No provider is available for recharge AT: such orders are refused.\n",
  });
  expect(await provider(["unroute", "recharge", "AT", "acme"])).toMatchObject({ code: 1, stdout: "" });
});

test("switching a provider off says where its operators' orders go then, and switching it on again too", async () => {
  await provider(["save", providerFiles(description("acme"), "token=t1\n").file]);
  await provider(["route", "recharge", "AT", "acme"]);
  expect(await provider(["disable", "acme"])).toMatchObject({
    code: 0,
    stdout:
      "The provider acme is switched off and gets no new orders.\nNo provider is available for recharge AT: such orders are refused.\n",
  });
  expect(await providerJson(["enable", "acme"])).toEqual({
    ok: true,
    provider: "acme",
    enabled: true,
    plans: [{ service: "recharge", operator: "AT", providers: ["acme"] }],
  });
  const actions = (await audited()).map((entry) => entry.action);
  expect(actions).toEqual(["provider.created", "provider.route_saved", "provider.switched", "provider.switched"]);
});

test("the first route to a real provider says that the installation is live, where the simulator's routes are refused", async () => {
  await provider(["save", providerFiles(description("acme"), "token=t1\n").file]);
  const first = await provider(["route", "recharge", "AT", "acme"]);
  expect(first).toMatchObject({ code: 0, stdout: expect.stringContaining("The installation is live.") });
  expect(first.stderr).toContain("the installation is live from now on");
  expect((await provider(["route", "recharge", "JO", "acme"])).stderr).not.toContain("from now on");
  const simulated = await provider(["route", "recharge", "VI", "simulator"]);
  expect(simulated).toMatchObject({ code: 1, stderr: expect.stringContaining("sandbox accounts only") });
  const unable = await provider(["route", "bills", "*", "acme"]);
  expect(unable).toMatchObject({ code: 1, stderr: expect.stringContaining("cannot do the service bills") });
});

test.each([
  [["enable", "nobody"], /no provider nobody/],
  [["disable", "nobody"], /no provider nobody/],
  [["route", "recharge", "AT", "nobody"], /no provider nobody/],
  [["route", "gas", "A B", "simulator"], /service: .*\noperator: /],
])("corprail provider %j is refused with the reason, and leaves no trace", async (given, reason) => {
  expect(await provider(given)).toEqual({ code: 1, stdout: "", stderr: expect.stringMatching(reason) });
  expect(await audited()).toEqual([]);
});

test("with four eyes on for providers no command changes a description or a secret", async () => {
  await installation.database.sql`update approval_rules set order_threshold = 1, providers_included = true`;
  const { file } = providerFiles(description("acme"), "token=t1\n");
  expect(await provider(["save", file])).toEqual({ code: 1, stdout: "", stderr: expect.stringMatching(/Four eyes are on.*console/) });
  expect(await audited()).toEqual([]);
  await installation.database.sql`update approval_rules set providers_included = false`;
  expect(await provider(["save", file])).toMatchObject({ code: 0 });
});

test("a route for an operator that the catalogue does not have is saved with a warning", async () => {
  const { code, stderr } = await provider(["route", "recharge", "ATT", "simulator"]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining("no recharge operator ATT") });
});

test("the list shows providers, which secrets they have, and routes", async () => {
  await provider(["save", providerFiles(description("acme"), "token=t1\n").file]);
  await provider(["save", providerFiles(description("beta")).file]);
  await provider(["route", "recharge", "AT", "acme", "--priority", "7"]);
  expect(await providerJson(["list"])).toEqual({
    ok: true,
    mode: "live",
    providers: [
      { provider: "acme", connector: "description", enabled: true, fault: null, secrets: ["token"], balance: null },
      {
        provider: "beta",
        connector: "description",
        enabled: true,
        fault: expect.stringContaining("BETA_TOKEN"),
        secrets: [],
        balance: null,
      },
      { provider: "simulator", connector: "simulator", enabled: true, fault: null, secrets: [], balance: null },
    ],
    routes: [
      { service: "*", operator: "*", provider: "simulator", priority: 100, weight: 100, enabled: true },
      { service: "recharge", operator: "AT", provider: "acme", priority: 7, weight: 100, enabled: true },
    ],
  });
  const { stdout } = await provider(["list"]);
  expect(stdout).toMatch(/^acme +description +on +token$/m);
  expect(stdout).toMatch(/^beta +description +on, incomplete +Secrets are missing/m);
  expect(stdout).toMatch(/^recharge +AT +acme +7 +100 +on$/m);
  expect(stdout).toMatch(/\n3 providers, 2 routes\. The installation is live\.\n$/);
});

test("a folder without a database is refused", async () => {
  const folder = join(temporaryFolder(), "elsewhere");
  const { code, stderr } = await corprail(["provider", "list"], { CORPRAIL_DATA_DIR: folder });
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(`There is no database in ${folder}`) });
});
