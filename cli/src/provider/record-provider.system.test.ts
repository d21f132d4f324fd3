import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test, vi } from "vitest";
import { readDescription } from "../../../server/src/domain/providers/description/definition.ts";
import { localDescription } from "../../../server/src/domain/providers/twin/local-description.ts";
import { startTwin } from "../../../server/src/domain/providers/twin/start-twin.ts";
import { WAIT_MILLISECONDS } from "../../../server/src/testing/deadline.ts";
import { corprail, running } from "../../testing/processes.ts";
import { providerFiles } from "../../testing/provider-files.ts";

const QUICKPAY = fileURLToPath(new URL("../../../docs/examples/providers/quickpay.json", import.meta.url));
const NO_DATABASE = { CORPRAIL_DATA_DIR: "/nowhere/at/all", CORPRAIL_DATABASE_URL: "postgres://nobody@127.0.0.1:1/nothing" };
const SECRETS = "token=quick-t0ken-1\npin=p1n-98765\n";

/** A provider on this machine, and its description beside its secrets. */
async function provider() {
  const settings = JSON.parse(readFileSync(QUICKPAY, "utf8"));
  const read = readDescription(settings);
  if (!read.ok) throw new Error("The example has faults.");
  const twin = await startTwin(read.definition);
  onTestFinished(() => twin.close());
  const local = localDescription(settings, twin.origin);
  const { folder, file } = providerFiles(local, SECRETS);
  const record = (...given: readonly string[]) => corprail(["provider", "record", file, ...given], NO_DATABASE);
  return { twin, local, folder, file, out: join(folder, "one.json"), record };
}

const replay = (...given: readonly string[]) => corprail(["provider", "replay", ...given], NO_DATABASE);

test("a query is recorded without its secrets, and replayed when the provider is gone", async () => {
  const { twin, out, record } = await provider();
  const recorded = await record("--operation", "balance", "--out", out);
  expect(recorded).toMatchObject({ code: 0, stdout: expect.stringContaining("balance: answered, 1 request\nThe recording is in") });
  await twin.close();
  expect(await replay(out)).toMatchObject({ code: 0, stdout: "The same: 1 request, 1 outcome.\n", stderr: "" });
  const text = readFileSync(out, "utf8");
  expect(text).not.toMatch(/quick-t0ken-1|p1n-98765/);
  expect(statSync(out).mode & 0o077).toBe(0);
  expect(JSON.parse(text)).toMatchObject({
    format: "corprail-recording",
    version: 1,
    provider: "quickpay",
    operations: [{ outcome: { kind: "answered" } }],
  });
});

test("a transaction is sent only when that is asked for by number and amount, and then once", async () => {
  const { twin, out, record } = await provider();
  const pay = ["--operation", "recharge.pay", "--out", out, "--operator", "AT"];
  expect(await record(...pay)).toMatchObject({ code: 2, stderr: expect.stringContaining("moves real money. Give --spend") });
  expect(await record(...pay, "--spend")).toMatchObject({ code: 2, stderr: expect.stringContaining("Give --target and --amount.") });
  expect(await record(...pay, "--for", "status")).toMatchObject({ code: 2, stderr: expect.stringContaining("--reference") });
  expect(await record(...pay.slice(0, 4), "--operator", "XX", "--spend", "--target", "9876543000", "--amount", "10")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("cannot express this order"),
  });
  expect(twin.orders()).toEqual([]);
  expect(existsSync(out)).toBe(false);
  const sent = await record(...pay, "--spend", "--target", "9876543000", "--amount", "10", "--reference", "R7");
  expect(sent).toMatchObject({
    code: 0,
    stderr: "Sending recharge.pay with the reference R7.\n",
    stdout: expect.stringContaining("recharge.pay.status: succeeded, 1 request"),
  });
  expect(twin.orders()).toMatchObject([{ reference: "R7", sends: 1 }]);
  expect(await record(...pay, "--spend", "--target", "9876543000", "--amount", "10")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("exists"),
  });
  expect(twin.orders()).toHaveLength(1);
  expect(await replay(out)).toMatchObject({ code: 0, stdout: "The same: 2 requests, 2 outcomes.\n" });
});

test("a changed description is compared with the recording, and each difference is shown", async () => {
  const { local, folder, out, record } = await provider();
  await record("--operation", "recharge.pay", "--for", "status", "--reference", "R9", "--out", out);
  const changed = join(folder, "changed.json");
  writeFileSync(
    changed,
    JSON.stringify(local)
      .replace('"url":"/status","query":{"ref":', '"url":"/status","query":{"reference":')
      .replaceAll("NO RECORD", "NOTHING"),
  );
  const { code, stdout, stderr } = await replay(out, changed);
  expect({ code, stderr }).toEqual({ code: 1, stderr: "The replay differs in 2 places.\n" });
  expect(stdout).toContain("recharge.pay.status, request 1:\n- GET http://127.0.0.1");
  expect(stdout).toMatch(/\n- .*&ref=R9\n\+ .*&reference=R9\n/);
  expect(stdout).toContain('-   "kind": "not_found"\n+   "kind": "unknown",');
  expect(JSON.parse((await replay(out, changed, "--json")).stdout)).toMatchObject({
    ok: false,
    differences: [{ request: 1 }, { request: null }],
  });
});

test("what is no recording, no operation or without secrets is refused with what to do", async () => {
  const { file, folder, record } = await provider();
  expect(await replay(file)).toMatchObject({ code: 2, stderr: expect.stringContaining("is not a recording") });
  expect(await record()).toMatchObject({ code: 2, stderr: expect.stringContaining("It has: recharge.pay, balance.") });
  expect(await record("--operation", "bills.pay")).toMatchObject({ code: 2, stderr: expect.stringContaining("no operation bills.pay") });
  const bare = join(folder, "bare.json");
  writeFileSync(bare, readFileSync(file));
  expect(await corprail(["provider", "record", bare, "--operation", "balance"], NO_DATABASE)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("CORPRAIL_PROVIDER_QUICKPAY_TOKEN"),
  });
});

test("the twin of a recording answers what was recorded", async () => {
  const { out, record, folder } = await provider();
  await record(
    "--operation",
    "recharge.pay",
    "--spend",
    "--target",
    "9876543000",
    "--amount",
    "10",
    "--operator",
    "AT",
    "--reference",
    "R7",
    "--out",
    out,
  );
  const local = join(folder, "local.json");
  const twin = running(["provider", "twin", out, "--port", "0", "--write", local], NO_DATABASE);
  const origin = await vi.waitFor(
    () => /listens on (http:\S+)\. /.exec(twin.said())?.[1] ?? Promise.reject(new Error(twin.said())),
    WAIT_MILLISECONDS,
  );
  const reply = await fetch(`${origin}/recharge?token=t&pin=p&opcode=1&number=9876543111&amount=49&ref=R8`);
  expect(await reply.text()).toBe("SUCCESS,R8,OP700001,done");
  expect((await twin.lines.next()).value).toBe("recharge.pay R8 -> 200");
  expect(JSON.parse(readFileSync(local, "utf8"))).toMatchObject({ name: "quickpay", base_url: origin });
  await twin.interrupt();
  expect(await corprail(["provider", "twin", out, "--fault", "duplicate"], NO_DATABASE)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("needs a description"),
  });
});
