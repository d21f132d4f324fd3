import { once } from "node:events";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { corprailHere } from "../testing/in-process.ts";
import { BIN, corprail } from "../testing/processes.ts";
import { commandTree } from "./completion/tree.ts";
import { buildProgram } from "./program.ts";

const GROUPS = [
  ["account"],
  ["analytics"],
  ["audit"],
  ["cell"],
  ["complaint"],
  ["ledger"],
  ["profile"],
  ["provider"],
  ["recharge"],
  ["single-sign-on"],
  ["statement"],
  ["upgrade"],
  ["verify"],
];
const REPORTING = [
  ["migrate"],
  ["upgrade", "check"],
  ["upgrade", "run"],
  ["doctor"],
  ["account", "create", "Acme"],
  ["account", "list"],
  ["account", "show", "A1"],
  ["account", "allow", "A1", "10.0.0.1"],
  ["account", "disallow", "A1", "10.0.0.1"],
  ["account", "service", "A1", "bills", "on"],
  ["account", "topup", "A1", "5", "--reference", "R1"],
  ["cell", "list"],
  ["cell", "add", "1"],
  ["cell", "move-account", "A1", "1"],
  ["backup", "/nowhere/a.backup"],
  ["restore", "/nowhere/a.backup"],
  ["restore-drill", "--base", "/nowhere", "--wal", "/nowhere"],
  ["archive", "make", "2026-01", "/nowhere"],
  ["archive", "move", "/nowhere", "--keep-months", "24"],
  ["archive", "verify", "/nowhere"],
  ["archive", "find", "/nowhere", "--order", "O1"],
  ["archive", "restore", "2026-01", "/nowhere"],
  ["rotate-key"],
  ["audit", "verify"],
  ["audit", "export", "/nowhere/audit.jsonl"],
  ["statement", "verify"],
  ["statement", "export", "A1", "2026-01", "/nowhere/statement.jsonl"],
  ["ledger", "verify"],
  ["single-sign-on", "stop-enforcing"],
  ["analytics", "verify"],
  ["analytics", "rebuild"],
  ["provider", "test", "acme.json"],
  ["provider", "twin", "quickpay.json"],
  ["provider", "check", "acme.json"],
  ["provider", "record", "quickpay.json"],
  ["provider", "replay", "quickpay.recording.json"],
  ["provider", "save", "acme.json"],
  ["provider", "list"],
  ["provider", "refresh", "acme"],
  ["provider", "enable", "acme"],
  ["provider", "disable", "acme"],
  ["provider", "route", "recharge", "AT", "acme"],
  ["provider", "unroute", "recharge", "AT", "acme"],
];
const COMMANDS = [["serve"], ...REPORTING];
const CLIENT = [
  ["balance"],
  ["recharge", "create", "--account", "9876543000", "--operator", "AT", "--amount", "10"],
  ["recharge", "get", "--urid", "U1"],
  ["recharge", "wait", "--urid", "U1"],
  ["complaint", "raise", "--urid", "U1", "--reason", "other", "--description", "Nothing came."],
  ["complaint", "get", "CMP0123456789AB"],
  ["complaint", "list"],
  ["request", "GET", "/balance"],
  ["sign", "GET", "/balance"],
  ["verify", "callback"],
  ["listen"],
];
const CONFIGURATION = [
  ["plan", "/nowhere"],
  ["apply", "/nowhere"],
  ["export", "/nowhere"],
];
const PROFILE = [
  ["profile", "add", "acme"],
  ["profile", "list"],
  ["profile", "use", "acme"],
  ["profile", "remove", "acme"],
];
// Needs neither a configuration nor credentials.
const ALONE = [
  ["capacity", "--orders-per-day", "1000000"],
  ["provider", "init", "eko"],
  ["provider", "new", "quickpay"],
];

test("every command of the program is looked at here", () => {
  const leaves = commandTree(buildProgram()).filter((node) => node.words.length > 0 && node.commands.length === 0);
  const looked = [...COMMANDS, ...CLIENT, ...CONFIGURATION, ...PROFILE, ...ALONE, ["completion"]].map((words) => words.join(" "));
  for (const { words } of leaves) expect(looked.filter((line) => `${line} `.startsWith(`${words.join(" ")} `))).not.toEqual([]);
});

test.each(
  [[], ...GROUPS, ...COMMANDS, ...CLIENT, ...CONFIGURATION, ...PROFILE, ...ALONE, ["completion", "bash"]].map((words) => ({ words })),
)("corprail $words --help shows an example and succeeds", async ({ words }) => {
  const { code, stdout, stderr } = await corprailHere([...words, "--help"]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toMatch(/Examples?:\n {2}\$ .*corprail /);
});

test("help names the exit codes", async () => {
  expect((await corprail(["--help"], {}, BIN)).stdout).toContain("Exit codes: 0 done, 1 failed, 2 wrong usage or configuration, 3 ");
});

test.each([
  { given: [] },
  { given: ["nonsense"] },
  { given: ["migrate", "--nonsense"] },
  { given: ["migrate", "more"] },
  ...GROUPS.map((given) => ({ given })),
  { given: ["provider", "test"] },
  { given: ["provider", "test", "acme.json", "--http-status", "99"] },
  { given: ["provider", "test", "acme.json", "--for", "nothing"] },
  { given: ["provider", "test", "acme.json", "--for", "status"] },
  { given: ["provider", "test", "acme.json", "--amount", "1,5"] },
  { given: ["provider", "route", "recharge", "AT"] },
  { given: ["provider", "route", "recharge", "AT", "acme", "--priority", "0"] },
  { given: ["provider", "route", "recharge", "AT", "acme", "--weight", "1.5"] },
  { given: ["serve", "--json"] },
  { given: ["backup"] },
  { given: ["account", "create"] },
  { given: ["recharge", "create", "--account", "9876543000"] },
  { given: ["recharge", "get"] },
  { given: ["recharge", "get", "--urid", "U1", "--order-id", "O1"] },
  { given: ["recharge", "wait", "--urid", "U1", "--every", "soon"] },
  { given: ["complaint", "raise", "--urid", "U1", "--reason", "bored", "--description", "Nothing came."] },
  { given: ["complaint", "raise", "--reason", "other", "--description", "Nothing came."] },
  { given: ["complaint", "list", "--most", "0"] },
  { given: ["listen", "--port", "70000"] },
  { given: ["profile", "add", "Not A Name"] },
])("wrong usage ends with 2 and says so on standard error: $given", async ({ given }) => {
  const { code, stdout, stderr } = await corprailHere(given);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).not.toBe("");
});

test.each(COMMANDS.map((words) => ({ words })))(
  "a bad configuration of corprail $words ends with 2 and one message that names every variable",
  async ({ words }) => {
    const { code, stdout, stderr } = await corprailHere(words, {
      CORPRAIL_PORT: "many",
      CORPRAIL_DATABASE_URL: "mysql://user:hidden@host",
    });
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr.match(/CORPRAIL_PORT/g)).toHaveLength(1);
    expect(stderr.match(/CORPRAIL_DATABASE_URL/g)).toHaveLength(1);
    expect(stderr).not.toContain("hidden");
  },
);

test.each(REPORTING.map((words) => ({ words })))(
  "corprail $words --json answers one object also when the configuration is bad",
  async ({ words }) => {
    const { code, stdout } = await corprailHere([...words, "--json"], { CORPRAIL_PORT: "many" });
    expect(code).toBe(2);
    expect(JSON.parse(stdout)).toEqual({ ok: false, error: expect.stringContaining("CORPRAIL_PORT") });
  },
);

const WITHOUT_CREDENTIALS = { XDG_CONFIG_HOME: "/nowhere", CORPRAIL_PORT: "many" };

test.each(CLIENT.map((words) => ({ words })))(
  "corprail $words without credentials ends with 2 and says what to do, whatever the service's configuration is",
  async ({ words }) => {
    const { code, stdout } = await corprailHere([...words, "--json"], WITHOUT_CREDENTIALS);
    expect(code).toBe(2);
    expect(JSON.parse(stdout)).toEqual({ ok: false, error: expect.stringContaining("corprail profile add") });
  },
);

test("a secret given as an argument by mistake is not repeated", async () => {
  const secret = `tok_live_${"s".repeat(43)}`;
  const { code, stdout, stderr } = await corprail(["migrate", `--token=${secret}`]);
  expect(code).toBe(2);
  expect(stdout + stderr).not.toContain(secret);
});

test("colour is left out when NO_COLOR is set, and used when it is forced", async () => {
  const unreachable = { CORPRAIL_DATABASE_URL: "postgres://someone@127.0.0.1:1/nothing" };
  const plain = await corprail(["migrate"], { ...unreachable, NO_COLOR: "1" });
  expect(plain.stderr).toBe(stripVTControlCharacters(plain.stderr));
  const coloured = await corprail(["migrate"], { ...unreachable, FORCE_COLOR: "1" });
  expect(coloured.stderr).not.toBe(plain.stderr);
  expect(stripVTControlCharacters(coloured.stderr)).toBe(plain.stderr);
});

test("a port that another program uses is named, with what to do", async () => {
  const other = createServer().listen(0, "127.0.0.1");
  onTestFinished(() => void other.close());
  await once(other, "listening");
  const { port } = other.address() as AddressInfo;
  const credentials = { CORPRAIL_BASE_URL: "http://127.0.0.1:9", CORPRAIL_TOKEN: "tok_test_nobody" };
  const { code, stderr } = await corprailHere(["listen", "--port", String(port)], credentials);
  expect({ code, stderr }).toEqual({ code: 1, stderr: `Another program is listening on 127.0.0.1:${port}. Choose another port.\n` });
});

test("without a build the command says how to make one", async () => {
  const folder = mkdtempSync(join(tmpdir(), "corprail-bin-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  cpSync(BIN, join(folder, "bin", "corprail.mjs"));
  const { code, stdout, stderr } = await corprail(["migrate"], {}, join(folder, "bin", "corprail.mjs"));
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toContain("run npm run build");
});
