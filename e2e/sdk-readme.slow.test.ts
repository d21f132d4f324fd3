import { execFile } from "node:child_process";
import { mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Client, change, newClient } from "./harness/operator.ts";
import { type Installation, ROOT, sharedInstallation, temporaryFolder } from "./harness/service.ts";

const run = promisify(execFile);
const RUN_MILLISECONDS = 180_000;

/** What the page leaves to the reader, as globals; time goes a hundred times as fast, so that polling does. */
const READERS_OWN = `
import { Corprail } from "@corprail/sdk";
const clock = { now: () => Date.now(), after: (ms, run) => { const timer = setTimeout(run, ms / 100); return () => clearTimeout(timer); } };
const env = process.env;
const own = (name) => async (...given) => { console.log(name, ...given); return true; };
Object.assign(globalThis, {
  corprail: new Corprail({ baseUrl: env.CORPRAIL_BASE_URL, token: env.CORPRAIL_TOKEN, signingSecret: env.CORPRAIL_SIGNING_SECRET, clock, timeoutMs: 3_000_000 }),
  deliver: own("deliver"), refund: own("refund"), askAgainLater: own("ask again"), bookOnce: own("book"), noteComplaint: own("note"),
  sql: async () => ({ count: 1 }),
});
`;

let installation: Installation;
let client: Client;
let folder: string;
let blocks: readonly string[];
beforeAll(async () => {
  installation = await sharedInstallation();
  client = await newClient(installation.service, { services: { bills: true, transfers: true, bus: true, aeps: true } });
  await change(installation.service, `/accounts/${client.accountId}/wallet`, { amount: "100000.00", reference: "start", note: "" });
  folder = await temporaryFolder("corprail-readme-");
  await mkdir(join(folder, "node_modules/@corprail"), { recursive: true });
  await symlink(join(ROOT, "sdk"), join(folder, "node_modules/@corprail/sdk"));
  for (const name of ["express", "fastify"]) await symlink(join(ROOT, "node_modules", name), join(folder, "node_modules", name));
  await writeFile(join(folder, "package.json"), '{"type":"module"}');
  await writeFile(join(folder, "readers-own.mjs"), READERS_OWN);
  const readme = await readFile(join(ROOT, "sdk/README.md"), "utf8");
  blocks = [...readme.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, block = ""]) => block);
});
afterAll(async () => {
  await installation?.close();
  await rm(folder, { recursive: true, force: true });
});

/** Runs blocks one after the other in one process, each as a module of its own, and answers what they printed. */
async function runBlocks(chosen: readonly string[], variables: Readonly<Record<string, string>>, end = ""): Promise<string> {
  const names = chosen.map((_block, index) => `./block-${index}.ts`);
  for (const [index, block] of chosen.entries()) await writeFile(join(folder, names[index] ?? ""), `${block}\nexport {};\n`);
  const imports = ["./readers-own.mjs", ...names].map((name) => `await import("${name}");`).join("\n");
  await writeFile(join(folder, "main.mjs"), `${imports}\n${end}`);
  const env = { ...process.env, ...variables };
  const { stdout } = await run(process.execPath, [join(ROOT, "node_modules/tsx/dist/cli.mjs"), "main.mjs"], { cwd: folder, env });
  return stdout;
}

const isReceiver = (block: string) => /Verifier|@corprail\/sdk\/testing/.test(block);

test("every block that calls the API runs against a service as it is printed", { timeout: RUN_MILLISECONDS }, async () => {
  const calls = blocks.filter((block) => !isReceiver(block));
  expect(calls.length).toBeGreaterThanOrEqual(8);
  // An earlier order of the reader's that the page waits for.
  const order = { urid: "INV-2025-0003", account: "9876543200", operator: "AT", amount: "10.00" };
  const headers = { "X-Api-Token": client.token, "Content-Type": "application/json" };
  await fetch(`${installation.service.url}/api/corp/v1/recharge`, { method: "POST", headers, body: JSON.stringify(order) });
  const printed = await runBlocks(calls, {
    CORPRAIL_BASE_URL: installation.service.url,
    CORPRAIL_TOKEN: client.token,
    CORPRAIL_SIGNING_SECRET: client.secret,
  });
  expect(printed).toContain("You can spend ₹");
  expect(printed).toContain("deliver INV-2025-0001");
  expect(printed).toContain("succeeded succeeded");
  expect(printed).toContain("paid to BESCOM Bengaluru");
  expect(printed).toMatch(/^succeeded 10\.0000 CMP[0-9A-Z]{12} /m);
  expect(printed).not.toContain("refund INV");
});

test("the receivers of the page take what its testing block delivers", { timeout: RUN_MILLISECONDS }, async () => {
  const port = await freePort();
  const receivers = blocks.filter(isReceiver).map((block) => block.replaceAll("3000", String(port)));
  expect(receivers.length).toBeGreaterThanOrEqual(4);
  const variables = { CORPRAIL_TOKEN: "tok_test", CORPRAIL_CALLBACK_SECRET: "cbk_test", CORPRAIL_BASE_URL: "http://127.0.0.1:1" };
  const printed = await runBlocks(receivers, variables, "process.exit(0);");
  expect(printed.match(/^200$/gm)).toHaveLength(2);
  expect(printed).toContain("refund INV-1 failed or reversed");
  expect(printed).toMatch(/^note .* REFUNDED 199\.0000$/m);
});

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const address = server.address();
  await new Promise<void>((done) => server.close(() => done()));
  return typeof address === "object" && address !== null ? address.port : 0;
}
