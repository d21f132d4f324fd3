// `npm run collections`: writes contract/collections from contract/openapi.json. With --check it only compares.
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { BRUNO, POSTMAN } from "./signing-script.mjs";

const FOLDER = fileURLToPath(new URL("../../contract/collections", import.meta.url));
const NAME = "Corprail client API";
const VARIABLES = { base_url: "http://127.0.0.1:8080", api_token: "", signing_secret: "" };

/** Every file of the collections, by its path below contract/collections. */
function collections(document) {
  const calls = callsOf(document);
  return new Map([["postman.json", `${JSON.stringify(postman(document, calls), null, 2)}\n`], ...bruno(calls)]);
}

function callsOf(document) {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => {
      const own = operation.parameters.filter((one) => !one.$ref);
      const content = operation.requestBody?.content["application/json"];
      return {
        id: operation.operationId,
        folder: operation.tags[0],
        summary: operation.summary,
        method: method.toUpperCase(),
        path,
        query: own.filter((one) => one.in === "query"),
        inPath: own.filter((one) => one.in === "path"),
        body: content ? JSON.stringify(Object.values(content.examples)[0].value, null, 2) : null,
      };
    }),
  );
}

function postman(document, calls) {
  const script = { listen: "prerequest", script: { type: "text/javascript", exec: POSTMAN.split("\n") } };
  return {
    info: {
      name: NAME,
      description: document.info.description,
      schema: "https://schema.getpostman.com/json/collection/v2.1.0/collection.json",
    },
    auth: { type: "apikey", apikey: pairs({ key: "X-Api-Token", value: "{{api_token}}", in: "header" }) },
    event: [script],
    variable: pairs(VARIABLES),
    item: foldersOf(calls).map((name) => ({ name, item: calls.filter((call) => call.folder === name).map(postmanItem) })),
  };
}

function postmanItem(call) {
  const path = call.path.slice(1).replaceAll(/\{([a-z_]+)\}/g, ":$1");
  const query = call.query.map((one) => ({ key: one.name, value: one.example, disabled: !one.required }));
  const asked = query.filter((one) => !one.disabled).map((one) => `${one.key}=${encodeURIComponent(one.value)}`);
  return {
    name: call.summary,
    request: {
      method: call.method,
      header: call.body === null ? [] : [{ key: "Content-Type", value: "application/json" }],
      ...(call.body === null ? {} : { body: { mode: "raw", raw: call.body, options: { raw: { language: "json" } } } }),
      url: {
        raw: `{{base_url}}/${path}${asked.length > 0 ? `?${asked.join("&")}` : ""}`,
        host: ["{{base_url}}"],
        path: path.split("/"),
        query,
        variable: call.inPath.map((one) => ({ key: one.name, value: one.example })),
      },
    },
  };
}

function bruno(calls) {
  const manifest = { version: "1", name: NAME, type: "collection", ignore: ["node_modules", ".git"] };
  const environment = `vars {\n  base_url: ${VARIABLES.base_url}\n}\n${block("vars:secret", ["api_token,", "signing_secret"], "[]")}`;
  return [
    ["bruno/bruno.json", `${JSON.stringify(manifest, null, 2)}\n`],
    ["bruno/environments/local.bru", environment],
    [
      "bruno/collection.bru",
      [block("headers", ["X-Api-Token: {{api_token}}"]), block("script:pre-request", BRUNO.trimEnd().split("\n"))].join("\n"),
    ],
    ...calls.map((call, place) => [`bruno/${call.folder}/${call.id}.bru`, brunoRequest(call, place + 1)]),
  ];
}

function brunoRequest(call, sequence) {
  // A variable, not a parameter of the path: those are filled in only after the request was signed.
  const url = `{{base_url}}${call.path.replaceAll(/\{([a-z_]+)\}/g, "{{$1}}")}`;
  const asked = call.query.filter((one) => one.required).map((one) => `${one.name}=${encodeURIComponent(one.example)}`);
  const query = call.query.map((one) => `${one.required ? "" : "~"}${one.name}: ${one.example ?? ""}`);
  const parts = [
    block("meta", [`name: ${call.id}`, "type: http", `seq: ${sequence}`]),
    block(call.method.toLowerCase(), [
      `url: ${url}${asked.length > 0 ? `?${asked.join("&")}` : ""}`,
      `body: ${call.body === null ? "none" : "json"}`,
      "auth: none",
    ]),
    ...(query.length > 0 ? [block("params:query", query)] : []),
    ...(call.inPath.length > 0
      ? [
          block(
            "vars:pre-request",
            call.inPath.map((one) => `${one.name}: ${one.example}`),
          ),
        ]
      : []),
    ...(call.body === null ? [] : [block("body:json", call.body.split("\n"))]),
    block("docs", [call.summary]),
  ];
  return parts.join("\n");
}

function block(name, lines, brackets = "{}") {
  return `${name} ${brackets[0]}\n${lines.map((line) => (line === "" ? "" : `  ${line}`)).join("\n")}\n${brackets[1]}\n`;
}

function foldersOf(calls) {
  return [...new Set(calls.map((call) => call.folder))].sort();
}

function pairs(values) {
  return Object.entries(values).map(([key, value]) => ({ key, value, type: "string" }));
}

async function committed() {
  const entries = await readdir(FOLDER, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = entries.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name));
  return new Map(await Promise.all(files.map(async (file) => [relative(FOLDER, file), await readFile(file, "utf8")])));
}

async function main(check) {
  const made = collections(JSON.parse(await readFile(new URL("../../contract/openapi.json", import.meta.url), "utf8")));
  if (check) {
    const there = await committed();
    const same = there.size === made.size && [...made].every(([name, text]) => there.get(name) === text);
    if (!same) console.error("contract/collections is not what contract/openapi.json gives. Run npm run collections and commit the files.");
    return same ? 0 : 1;
  }
  await rm(FOLDER, { recursive: true, force: true });
  for (const [name, text] of made) {
    await mkdir(dirname(join(FOLDER, name)), { recursive: true });
    await writeFile(join(FOLDER, name), text);
  }
  console.log(`Wrote ${made.size} files to ${FOLDER}.`);
  return 0;
}

process.exitCode = await main(process.argv.includes("--check"));
