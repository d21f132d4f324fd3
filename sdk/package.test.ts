import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { publint } from "publint";
import { afterAll, beforeAll, expect, test } from "vitest";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const SDK = join(ROOT, "sdk");
const TSC = join(ROOT, "node_modules/typescript/bin/tsc");
// Settings of an npm that may have started the tests are not for the one that is tried here.
const ENVIRONMENT = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.toLowerCase().startsWith("npm_")));

const execute = promisify(execFile);
const run = (file: string, words: readonly string[], cwd: string) => execute(file, words, { cwd, env: ENVIRONMENT });

let folder: string;
let tarball: string;
let files: readonly string[];
beforeAll(async () => {
  await run(process.execPath, [TSC, "-b", SDK, join(SDK, "cjs")], ROOT);
  folder = await mkdtemp(join(tmpdir(), "corprail-sdk-"));
  const { stdout } = await run("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", folder], SDK);
  const [packed] = JSON.parse(stdout) as readonly { readonly filename: string; readonly files: readonly { readonly path: string }[] }[];
  tarball = join(folder, packed?.filename ?? "");
  files = packed?.files.map((file) => file.path) ?? [];
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test("the package holds what it needs, and neither sources nor tests", () => {
  expect(files).toEqual(expect.arrayContaining(["package.json", "README.md", "LICENSE", "cjs/package.json"]));
  expect(files).toEqual(expect.arrayContaining(["dist/index.js", "dist/index.d.ts", "cjs/dist/testing.js", "cjs/dist/testing.d.ts"]));
  for (const file of files.filter((one) => one.endsWith(".js")))
    expect(existsSync(join(SDK, file.replace(/^(?:cjs\/)?dist/, "src").replace(/js$/, "ts"))), file).toBe(true);
  expect(files.filter((file) => /(?:^|\/)src\/|(?<!\.d)\.ts$|\.test\.|tsconfig|tsbuildinfo/.test(file))).toEqual([]);
});

test("the package has no dependencies of any kind at run time", async () => {
  const manifest = JSON.parse(await readFile(join(SDK, "package.json"), "utf8")) as Readonly<Record<string, unknown>>;
  expect(Object.keys(manifest).filter((name) => /dependencies/i.test(name))).toEqual(["devDependencies"]);
  const sources = files.filter((file) => file.endsWith(".js")).map((file) => readFile(join(SDK, file), "utf8"));
  const imported = (await Promise.all(sources)).flatMap((text) =>
    [...text.matchAll(/(?:from |require\()"([^"]+)"/g)].map(([, name]) => name),
  );
  expect([...new Set(imported.filter((name) => !name?.startsWith(".")))]).toEqual(["node:crypto"]);
});

test("publint finds nothing to say", async () => {
  const bytes = await readFile(tarball);
  const { messages } = await publint({ strict: true, pack: { tarball: Uint8Array.from(bytes).buffer } });
  expect(messages).toEqual([]);
});

test("are-the-types-wrong finds nothing wrong, for every way of resolving", async () => {
  const result = await checkPackage(createPackageFromTarballData(await readFile(tarball)));
  expect(result).toMatchObject({ packageName: "@corprail/sdk", types: { kind: "included" } });
  expect("problems" in result && result.problems).toEqual([]);
});

const USE = `
const corprail = new Corprail({ baseUrl: "http://127.0.0.1:1", token: "tok_test", signingSecret: "sig_test" });
const verifier = new CallbackVerifier({ callbackSecret: "cbk_test" });
const message = statusCallback({ version: 3, callbackSecret: "cbk_test", url: "https://x.example/", status: "FAILED" });
void verifier.verify(message).then((verdict) => {
  console.log(verdict.ok ? verdict.callback.bookingKey : verdict.reason, typeof corprail.recharge.create);
});
`;

/** Wrong on purpose: types that were lost would let it pass. */
const TYPED = `
import { createServer } from "node:http";
import { type Outcome } from "@corprail/sdk";
createServer(nodeHandler(verifier, () => {}));
export function refundable(outcome: Outcome): string {
  if (outcome.outcome === "unknown") return outcome.cause.error;
  const due: "due" | "not_due" | "wait" = outcome.customerRefund;
  return due;
}
// @ts-expect-error An amount is a text.
void corprail.recharge.create({ urid: "1", account: "9", operator: "AT", amount: 10 });
// @ts-expect-error One reference, not two.
void corprail.recharge.get({ urid: "1", orderId: "2" });
// @ts-expect-error An unknown outcome has no order.
export const orderId = (outcome: Outcome) => outcome.orderId;
`;

const PROJECTS = [
  {
    name: "an ES module",
    type: "module",
    head: 'import { CallbackVerifier, Corprail } from "@corprail/sdk";\nimport { statusCallback } from "@corprail/sdk/testing";\n',
  },
  {
    name: "a CommonJS module",
    type: "commonjs",
    head: 'const { CallbackVerifier, Corprail } = require("@corprail/sdk");\nconst { statusCallback } = require("@corprail/sdk/testing");\n',
  },
] as const;

async function write(place: string, texts: Readonly<Record<string, string>>): Promise<void> {
  for (const [file, text] of Object.entries(texts)) await writeFile(join(place, file), text);
}

test.each(PROJECTS)(
  "packed and installed into $name it runs and type-checks",
  async ({ type, head }) => {
    const place = join(folder, type);
    await mkdir(place);
    const options = { module: "nodenext", target: "es2022", lib: ["es2022"], strict: true, noEmit: true, skipLibCheck: false };
    const compilerOptions = { ...options, types: ["node"], typeRoots: [join(ROOT, "node_modules/@types")] };
    const typedHead =
      'import { CallbackVerifier, Corprail, nodeHandler } from "@corprail/sdk";\nimport { statusCallback } from "@corprail/sdk/testing";\n';
    await write(place, {
      "package.json": JSON.stringify({ name: "scratch", version: "1.0.0", private: true, type }),
      "use.js": head + USE,
      "typed.ts": typedHead + USE + TYPED,
      "tsconfig.json": JSON.stringify({ compilerOptions, files: ["typed.ts"] }),
    });
    await run("npm", ["install", "--offline", "--no-audit", "--no-fund", "--ignore-scripts", tarball], place);
    expect((await run(process.execPath, ["use.js"], place)).stdout).toBe("status:01JXQ0A1B2C3D4E5F6:FAILED function\n");
    const checked = await run(process.execPath, [TSC, "-p", place], place).catch((error: { readonly stdout: string }) => error);
    expect(checked.stdout).toBe("");
  },
  120_000,
);
