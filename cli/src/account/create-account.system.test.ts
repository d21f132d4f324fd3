import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { scratchFolder } from "../../testing/client.ts";
import { testInstallation } from "../../testing/installation.ts";
import { corprail, serving, temporaryFolder } from "../../testing/processes.ts";

const MINUTES = 60_000;

test("an account is opened while the service runs, and its token works at once and from a profile", { timeout: 2 * MINUTES }, async () => {
  const home = scratchFolder();
  const variables = { CORPRAIL_DATA_DIR: temporaryFolder(), XDG_CONFIG_HOME: home };
  const service = await serving(variables);
  const given = [
    "account",
    "create",
    "Acme Ltd",
    "--allow",
    "127.0.0.1",
    "--allow",
    "10.1.2.3/8",
    "--profile",
    "acme",
    "--base-url",
    service.base,
  ];
  const { code, stdout } = await corprail([...given, "--json"], variables);
  expect(code).toBe(0);
  const created = JSON.parse(stdout);
  expect(created).toMatchObject({
    ok: true,
    account_id: expect.stringMatching(/^A/),
    api_token: expect.stringMatching(/^tok_live_/),
    profile: "acme",
  });
  await expect.poll(async () => (await corprail(["balance", "--json"], { XDG_CONFIG_HOME: home })).code).toBe(0);
  const kept = JSON.parse(readFileSync(join(home, "corprail", "profiles.json"), "utf8"));
  expect(kept.profiles.acme).toEqual({ base_url: service.base, token: created.api_token });
  expect(await service.stop()).toBe(0);
});

test("the audit log names the command's user, and the token is in no table", async () => {
  const { database, variables } = await testInstallation();
  const { code, stdout, stderr } = await corprail(["account", "create", "Acme", "--sandbox", "--allow", "::1"], variables);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const [, token = ""] = /API token +(tok_test_\S+)/.exec(stdout) ?? [];
  expect(token).not.toBe("");
  const trail = await database.sql<
    { actor: string; action: string; details: string }[]
  >`select actor, action, details from audit_log order by seq`;
  expect(trail.map((entry) => entry.action)).toEqual(["account.created", "account.allowlist_replaced"]);
  expect(new Set(trail.map((entry) => entry.actor))).toEqual(new Set([expect.stringMatching(/^cli:./)]));
  expect(JSON.stringify(trail)).not.toContain(token);
});

test.each([
  { given: ["account", "create", " "], says: "name" },
  { given: ["account", "create", "Acme", "--allow", "300.1.1.1"], says: "300.1.1.1" },
  { given: ["account", "create", "Acme", "--profile", "Not A Name"], says: "profile" },
  { given: ["account", "create", "Acme", "--profile", "acme", "--base-url", "http://api.example.in"], says: "https://" },
])("$given is refused with 2 before anything is made", async ({ given, says }) => {
  const { database, variables } = await testInstallation();
  const home = scratchFolder();
  const { code, stderr } = await corprail(given, { ...variables, XDG_CONFIG_HOME: home });
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(says) });
  expect(await database.sql`select account_id from accounts`).toEqual([]);
  expect(existsSync(join(home, "corprail"))).toBe(false);
});

test("without --allow it says that every call is refused", async () => {
  const { variables } = await testInstallation();
  expect(await corprail(["account", "create", "Acme"], variables)).toMatchObject({
    code: 0,
    stderr: expect.stringContaining("corprail account allow"),
  });
});
