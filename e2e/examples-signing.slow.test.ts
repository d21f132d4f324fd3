import { spawn } from "node:child_process";
import { mkdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Command, LANGUAGES, shownRegion } from "./harness/languages.ts";
import { ROOT, temporaryFolder } from "./harness/service.ts";

type Vector = {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly query: readonly (readonly [string, string])[];
  readonly body_hex: string;
  readonly timestamp: string;
  readonly nonce: string;
  readonly secret: string;
  readonly signature: string;
};

const FILES: Readonly<Record<string, string>> = {
  typescript: "sign.ts",
  python: "sign.py",
  php: "sign.php",
  java: "Sign.java",
  go: "sign.go",
  bash: "sign.sh",
};
// Every signature is a process of its own.
const LANGUAGE_MILLISECONDS = 180_000;
const AT_ONCE = 4;

let folder: string;
let vectors: readonly Vector[];
beforeAll(async () => {
  folder = await temporaryFolder("corprail-signing-");
  vectors = (JSON.parse(await readFile(join(ROOT, "contract/vectors/request-signing.json"), "utf8")) as { vectors: Vector[] }).vectors;
});
afterAll(() => rm(folder, { recursive: true }));

function sourceOf(name: string): string {
  return join(ROOT, "examples/signing", name, FILES[name] ?? "");
}

async function signed([program, ...before]: Command, vector: Vector, cwd = ROOT): Promise<string> {
  const pairs = vector.query.map(([name, value]) => `${name}=${value}`);
  const given = [...before, vector.method, vector.path, vector.timestamp, vector.nonce, ...pairs];
  // Java reads its arguments in the locale's encoding.
  const env = { ...process.env, LC_ALL: "C.UTF-8", CORPRAIL_SIGNING_SECRET: vector.secret };
  const child = spawn(program, given, { cwd, env, stdio: ["pipe", "pipe", "inherit"] });
  child.stdin.end(Buffer.from(vector.body_hex, "hex"));
  return (await text(child.stdout)).trim();
}

async function signedAll(command: Command): Promise<Record<string, string>> {
  const results: Record<string, string> = {};
  const waiting = [...vectors];
  const worker = async () => {
    for (let vector = waiting.pop(); vector; vector = waiting.pop()) results[vector.name] = await signed(command, vector);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return results;
}

describe.each(LANGUAGES)("$name", ({ name, missing, prepare }) => {
  test(
    "its signatures equal all vectors",
    async (context) => {
      if (missing !== null) return context.skip(missing);
      const place = join(folder, name);
      await mkdir(place);
      const command = await prepare(sourceOf(name), place);
      const expected = Object.fromEntries(vectors.map((vector) => [vector.name, vector.signature]));
      expect(vectors.length).toBeGreaterThanOrEqual(36);
      expect(await signedAll(command)).toEqual(expected);
    },
    LANGUAGE_MILLISECONDS,
  );

  test(
    "the command that the README names signs as the vectors say",
    async (context) => {
      if (missing !== null) return context.skip(missing);
      const readme = await readFile(join(ROOT, "examples/signing/README.md"), "utf8");
      const command = new RegExp(`^\\| ${name} \\| \`([^\`]+)\``, "im").exec(readme)?.[1] ?? "";
      const [program = "", ...words] = command.split(" ");
      const [vector] = vectors;
      if (vector === undefined) throw new Error("There are no vectors.");
      expect(await signed([program, ...words], vector, join(ROOT, "examples/signing"))).toBe(vector.signature);
    },
    LANGUAGE_MILLISECONDS,
  );

  test("the guide shows the very code that is run", async () => {
    const source = await readFile(sourceOf(name), "utf8");
    const guide = await readFile(join(ROOT, "docs/guide/signing.md"), "utf8");
    expect(guide).toContain(`\`\`\`${name}\n${shownRegion(source, "sign")}\n\`\`\``);
  });
});
