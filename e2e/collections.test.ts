import { execFile } from "node:child_process";
import { createHash, createHmac } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { ROOT } from "./harness/service.ts";

const run = promisify(execFile);
const FOLDER = join(ROOT, "contract/collections");

type Vector = {
  readonly name: string;
  readonly method: string;
  readonly target: string;
  readonly body: string;
  readonly timestamp: string;
  readonly nonce: string;
  readonly secret: string;
  readonly signature: string;
};
type Sent = Record<string, string>;

async function vectors(): Promise<readonly Vector[]> {
  const text = await readFile(join(ROOT, "contract/vectors/request-signing.json"), "utf8");
  return (JSON.parse(text) as { vectors: readonly Vector[] }).vectors;
}

/** The part of crypto-js that the scripts use, which both programs bring along. */
function cryptoFor(nonce: string) {
  const hex = (text: string) => ({ toString: () => text });
  return {
    enc: { Utf8: { parse: (text: string) => text } },
    SHA256: (text: string) => hex(createHash("sha256").update(text).digest("hex")),
    HmacSHA256: (text: string, key: string) => hex(createHmac("sha256", key).update(text).digest("hex")),
    lib: { WordArray: { random: () => hex(nonce) } },
  };
}

function worldOf(vector: Vector) {
  const now = { now: () => Number(vector.timestamp) * 1000 };
  return { require: () => cryptoFor(vector.nonce), Date: now, encodeURIComponent, decodeURIComponent };
}

function signedByPostman(script: string, vector: Vector): Sent {
  const sent: Sent = {};
  const [path = "", query = ""] = vector.target.split(/\?(.*)/s);
  const pairs = query.split("&").filter((pair) => pair !== "");
  const all = pairs.map((pair) => ({ key: pair.split("=")[0] ?? "", value: pair.slice(pair.indexOf("=") + 1) }));
  const unused = { key: "unused", value: "1", disabled: true };
  const pm = {
    variables: { get: () => vector.secret, replaceIn: (text: string) => text },
    request: {
      method: vector.method,
      url: { getPath: () => path, query: { all: () => [...all, unused] } },
      body: { raw: vector.body, update: () => {} },
      headers: { upsert: ({ key, value }: { key: string; value: string }) => Object.assign(sent, { [key]: value }) },
    },
  };
  runInNewContext(script, { ...worldOf(vector), pm });
  return sent;
}

function signedByBruno(script: string, vector: Vector): Sent {
  const sent: Sent = {};
  const bru = { getEnvVar: () => vector.secret, interpolate: (text: string) => text.replace("{{base_url}}", "http://127.0.0.1:8080") };
  const req = {
    getMethod: () => vector.method,
    getUrl: () => `{{base_url}}${vector.target}`,
    getBody: () => vector.body,
    setBody: () => {},
    setHeader: (name: string, value: string) => Object.assign(sent, { [name]: value }),
  };
  runInNewContext(script, { ...worldOf(vector), bru, req });
  return sent;
}

function expected(vector: Vector): Sent {
  return { "X-Api-Timestamp": vector.timestamp, "X-Api-Nonce": vector.nonce, "X-Api-Signature": vector.signature };
}

test("the committed collections are the ones that the description gives", async () => {
  await run(process.execPath, ["scripts/contract/collections.mjs", "--check"], { cwd: ROOT });
});

test("Postman's script signs every vector as it must be signed", async () => {
  const collection = JSON.parse(await readFile(join(FOLDER, "postman.json"), "utf8"));
  const script = collection.event[0].script.exec.join("\n");
  for (const vector of await vectors()) expect(signedByPostman(script, vector), vector.name).toEqual(expected(vector));
});

test("Bruno's script signs every vector as it must be signed", async () => {
  const text = await readFile(join(FOLDER, "bruno/collection.bru"), "utf8");
  const script = /^script:pre-request \{\n([\s\S]*?)\n\}$/m.exec(text)?.[1] ?? "";
  for (const vector of await vectors()) expect(signedByBruno(script, vector), vector.name).toEqual(expected(vector));
});

test("both hold every operation, and neither holds a credential", async () => {
  const document = JSON.parse(await readFile(join(ROOT, "contract/openapi.json"), "utf8"));
  const operations = Object.values(document.paths as Record<string, object>).flatMap((item) => Object.values(item));
  const collection = JSON.parse(await readFile(join(FOLDER, "postman.json"), "utf8"));
  const items = (collection.item as readonly { readonly item: readonly unknown[] }[]).flatMap((folder) => folder.item);
  expect(items.length).toBe(operations.length);
  for (const { operationId, tags } of operations as readonly { readonly operationId: string; readonly tags: readonly string[] }[])
    await readFile(join(FOLDER, "bruno", tags[0] ?? "", `${operationId}.bru`));
  const values = Object.fromEntries(collection.variable.map((one: { key: string; value: string }) => [one.key, one.value]));
  expect(values).toMatchObject({ api_token: "", signing_secret: "" });
});
