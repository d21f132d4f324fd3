import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import type { Account } from "../../../domain/accounts/account.ts";
import { parseAllowlist } from "../../../domain/accounts/allowlist.ts";
import { loadCatalogue } from "../../../domain/catalog/catalogue.ts";
import { type Route, route } from "../../../domain/client-api/route.ts";
import { isOwnRefusal, REFUSAL_CODES, type RefusalName, refused } from "../../../domain/shared/refusals.ts";
import type { JsonObject, JsonValue } from "../../../platform/core/strict-json.ts";
import { type TestDatabase, testDatabase } from "../../../testing/database.ts";
import { answerReply, failedReply, refusalReply } from "../replies.ts";
import { PREFIX } from "../route-table.ts";
import { clientRoutes, describeRoutes } from "../routes.ts";
import { documentText, openApiDocument } from "./document.ts";
import { operationId } from "./operation.ts";
import { describedStatuses, SIGNED_ECHO, statusOf } from "./refusals.ts";
import { fieldsOf, objectOf } from "./schemas.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

const text = z.string();
const unanswered = () => refused("not_found", "");

// Kinds of routes that the table may not contain yet.
const OTHERS: readonly Route[] = [
  route({
    method: "POST",
    path: "/bills/pay",
    service: "bills",
    kind: "transaction",
    summary: "Pays a bill",
    input: z.object({ request_id: text, amount: text, note: text.optional() }),
    reply: z.object({ ok: z.boolean(), status: text }),
    handle: unanswered,
  }),
  route({
    method: "GET",
    path: "/bills/pay",
    service: "bills",
    kind: "lookup",
    summary: "Finds a payment",
    input: z.union([z.object({ request_id: text }), z.object({ order_id: text })]),
    reply: z.object({ ok: z.boolean() }),
    handle: unanswered,
  }),
  route({
    method: "GET",
    path: "/complaints/{ref}",
    service: "recharge",
    kind: "plain",
    summary: "A complaint",
    input: z.object({ ref: text.describe("Its reference"), detail: text.optional() }),
    reply: z.object({ ok: z.boolean() }),
    examples: { detail: "all" },
    handle: unanswered,
  }),
  route({
    method: "POST",
    path: "/complaints",
    service: "recharge",
    kind: "plain",
    summary: "Raises a complaint",
    input: z.object({ urid: text }),
    reply: z.object({ ok: z.boolean() }),
    handle: unanswered,
  }),
];

// The table may contain some of them later.
const SAMPLE = [
  ...OTHERS,
  ...describeRoutes().filter((one) => !OTHERS.some((other) => other.method === one.method && other.path === one.path)),
];

function at(document: JsonValue, ...path: readonly string[]): JsonValue | undefined {
  return path.reduce<JsonValue | undefined>((value, name) => (value as Record<string, JsonValue> | undefined)?.[name], document);
}

function operation(document: JsonObject, one: Pick<Route, "method" | "path">): JsonObject {
  return objectOf(at(document, "paths", PREFIX + one.path, one.method.toLowerCase()));
}

/** Every object inside a value, the value itself included. */
function objectsIn(value: JsonValue): readonly JsonObject[] {
  if (typeof value !== "object" || value === null) return [];
  const inside = Object.values(value as Record<string, JsonValue>).flatMap(objectsIn);
  return Array.isArray(value) ? inside : [value as JsonObject, ...inside];
}

test("the document contains exactly the routes of the table", () => {
  const document = openApiDocument(describeRoutes());
  const described = Object.entries(objectOf(document["paths"])).flatMap(([path, item]) =>
    Object.keys(objectOf(item)).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(described.toSorted()).toEqual(
    describeRoutes()
      .map((one) => `${one.method} ${PREFIX}${one.path}`)
      .toSorted(),
  );
});

test("every operation has its own id, a tag that is declared, a reply and the refusals of the gate", () => {
  for (const routes of [describeRoutes(), SAMPLE]) {
    const document = openApiDocument(routes);
    const tags = (document["tags"] as readonly JsonObject[]).map((tag) => tag["name"]);
    expect(new Set(routes.map(operationId)).size).toBe(routes.length);
    for (const one of routes) {
      const described = operation(document, one);
      expect(described["operationId"]).toBe(operationId(one));
      expect(tags).toEqual(expect.arrayContaining(described["tags"] as string[]));
      expect(Object.keys(objectOf(described["responses"]))).toEqual(
        expect.arrayContaining(["200", "400", "401", "403", "404", "405", "429", "500"]),
      );
    }
  }
});

test("every route names its own refusals beyond the shared ones, and no reply's description names one twice", () => {
  const document = openApiDocument(describeRoutes());
  for (const one of describeRoutes()) {
    const responses = objectOf(operation(document, one)["responses"]);
    for (const name of one.refusals ?? []) {
      const described = objectOf(responses[String(statusOf(refused(name, "")))]);
      expect(described["description"], `${one.method} ${one.path}: ${name}`).toContain(`\`${name}\` (${REFUSAL_CODES[name]})`);
    }
  }
  for (const described of objectsIn(document).map((one) => String(one["description"] ?? ""))) {
    const named = described.match(/`[a-z_]+` \([0-9]+\)/g) ?? [];
    expect(named, described).toEqual([...new Set(named)]);
  }
});

test("every reference resolves, and every shared component is used", () => {
  for (const routes of [describeRoutes(), SAMPLE]) {
    const document = openApiDocument(routes);
    const references = new Set(objectsIn(document).flatMap((one) => (typeof one["$ref"] === "string" ? [one["$ref"]] : [])));
    for (const reference of references) expect(at(document, ...reference.slice(2).split("/")), reference).toBeDefined();
    const { securitySchemes, ...shared } = objectOf(document["components"]);
    const names = Object.entries(shared).flatMap(([kind, entries]) =>
      Object.keys(objectOf(entries)).map((name) => `#/components/${kind}/${name}`),
    );
    expect(names.toSorted()).toEqual([...references].toSorted());
    expect((document["security"] as readonly JsonObject[]).flatMap(Object.keys)).toEqual(Object.keys(objectOf(securitySchemes)));
  }
});

test("every parameter and reply is complete, and a path's parameter is declared", () => {
  for (const one of SAMPLE) {
    const { parameters, responses } = operation(openApiDocument(SAMPLE), one);
    const own = (parameters as readonly JsonObject[]).filter((parameter) => parameter["$ref"] === undefined);
    for (const parameter of own)
      expect(parameter).toMatchObject({ name: expect.any(String), in: expect.any(String), schema: expect.any(Object) });
    const inPath = /\{(.*)\}/.exec(one.path)?.[1];
    expect(own.filter((parameter) => parameter["in"] === "path")).toMatchObject(
      inPath === undefined ? [] : [{ name: inPath, required: true }],
    );
    for (const reply of Object.values(objectOf(responses)))
      expect("$ref" in objectOf(reply) || "description" in objectOf(reply)).toBe(true);
  }
});

test("signature headers are required on signed services and optional on the recharge group", () => {
  const document = openApiDocument(SAMPLE);
  for (const one of SAMPLE) {
    const names = (operation(document, one)["parameters"] as readonly JsonObject[]).map((parameter) => parameter["$ref"]);
    const word = one.service === "recharge" ? "Optional" : "Required";
    expect(names).toEqual(
      expect.arrayContaining(["Timestamp", "Nonce", "Signature"].map((name) => `#/components/parameters/${word}${name}`)),
    );
  }
  expect(at(document, "components", "parameters", "RequiredNonce", "required")).toBe(true);
  expect(at(document, "components", "parameters", "OptionalNonce", "required")).toBe(false);
});

test("a GET takes its input in the query and the path, a POST in a JSON body", () => {
  const document = openApiDocument(SAMPLE);
  const lookup = operation(document, { method: "GET", path: "/bills/pay" })["parameters"] as readonly JsonObject[];
  expect(lookup.slice(0, 2)).toMatchObject([
    { name: "request_id", in: "query", required: false },
    { name: "order_id", in: "query", required: false },
  ]);
  const complaint = operation(document, { method: "GET", path: "/complaints/{ref}" })["parameters"] as readonly JsonObject[];
  expect(complaint.slice(0, 2)).toMatchObject([
    { name: "ref", in: "path", required: true, description: "Its reference" },
    { name: "detail", in: "query", required: false },
  ]);
  const body = at(operation(document, { method: "POST", path: "/bills/pay" }), "requestBody", "content", "application/json", "schema");
  expect(body).toMatchObject({ type: "object", required: ["request_id", "amount"], properties: { note: { type: "string" } } });
});

test("a transaction may answer failed with 200, and only a complaint is created with 201", () => {
  const document = openApiDocument(SAMPLE);
  const pay = objectOf(operation(document, { method: "POST", path: "/bills/pay" })["responses"]);
  expect(Object.keys(pay)).toEqual(expect.arrayContaining(["200", "402", "409", "413", "415", "422", "503"]));
  expect(at(pay, "200", "content", "application/json", "schema", "anyOf", "1")).toEqual({ $ref: "#/components/schemas/FailedTransaction" });
  const created = SAMPLE.filter((one) => "201" in objectOf(operation(document, one)["responses"]));
  expect(created.map((one) => `${one.method} ${one.path}`)).toEqual(["POST /complaints"]);
});

test("every refusal that is not a service's own has a status that the document describes", () => {
  const common = (Object.keys(REFUSAL_CODES) as RefusalName[]).filter((name) => !isOwnRefusal(name));
  const statuses = common.map((name) => statusOf(refused(name, "")));
  expect(describedStatuses()).toEqual(expect.arrayContaining(statuses));
});

test("the replies of replies.ts match the schemas of refusals and failed transactions", () => {
  const schemas = objectOf(at(openApiDocument(SAMPLE), "components", "schemas"));
  const fields = (name: string) => fieldsOf(objectOf(schemas[name])).map((field) => field.name);
  const failed = failedReply(refused("account_paused", "Paused."), SIGNED_ECHO, { amount: "10.00", account: "1" }).body;
  expect(z.fromJSONSchema(schemas["FailedTransaction"] as never).safeParse(failed).error).toBeUndefined();
  expect(fields("FailedTransaction").toSorted()).toEqual(Object.keys(failed).toSorted());
  const ordinary = failedReply(refused("operator_off", "Off."), { reference: "r", signedService: false }, {}, true).body;
  expect(z.fromJSONSchema(schemas["FailedTransaction"] as never).safeParse(ordinary).error).toBeUndefined();
  for (const name of Object.keys(REFUSAL_CODES) as RefusalName[]) {
    const body = refusalReply(refused(name, "No.", { fields: { a: "b" } }), { reference: "r", signedService: false }).body;
    expect(z.fromJSONSchema(schemas["Refusal"] as never).safeParse(body).error, name).toBeUndefined();
  }
});

test("every example of a refusal matches its schema", () => {
  const document = openApiDocument(SAMPLE);
  const schemas = objectOf(at(document, "components", "schemas"));
  const [, own] = at(schemas, "SignedServiceRefusal", "allOf") as readonly JsonObject[];
  for (const [name, response] of Object.entries(objectOf(at(document, "components", "responses")))) {
    const content = objectOf(at(response, "content", "application/json"));
    const example = at(Object.values(objectOf(content["examples"]))[0] ?? null, "value");
    expect(z.fromJSONSchema(schemas["Refusal"] as never).safeParse(example).error, name).toBeUndefined();
    const signed = at(content, "schema", "$ref") === "#/components/schemas/SignedServiceRefusal";
    expect(z.fromJSONSchema(own as never).safeParse(example).success, name).toBe(signed);
  }
});

test("the lists of services and operators match their schemas exactly", async () => {
  const { sql } = database;
  const [clock, health] = [{ now: () => 1_700_000_000_000 }, () => ({ status: "up", successRate1h: null })];
  const providerRegistry = { serves: () => true };
  const routes = clientRoutes({
    sql,
    catalogue: await loadCatalogue(sql),
    clock,
    health,
    providerRegistry,
    limits: async () => null,
  } as never);
  for (const path of ["/services", "/operators"]) {
    const one = routes.find((candidate) => candidate.path === path);
    if (!one) throw new Error(`There is no route ${path}.`);
    const answer = await one.handle({ account: someAccount(), input: one.input.parse({}), requestId: "R" });
    const { status, body } = answerReply(answer, () => ({ reference: null, signedService: false }), "recharge");
    expect(status).toBe(200);
    expect((body["items"] as readonly JsonValue[]).length).toBeGreaterThan(0);
    // Parsing drops what the schema does not name, so an equal result means that it names everything.
    expect(one.reply.parse(body)).toEqual(body);
    const described = at(operation(openApiDocument(routes), one), "responses", "200", "content", "application/json", "schema");
    expect(z.fromJSONSchema(described as never).safeParse(body).error).toBeUndefined();
  }
});

test("the same routes in another order give the same text", () => {
  expect(documentText(SAMPLE.toReversed())).toBe(documentText(SAMPLE));
});

test("no reply forbids fields that may be added later", () => {
  expect(documentText(SAMPLE)).not.toContain('"additionalProperties": false');
});

test("the error names a route that cannot be described", () => {
  const [first] = OTHERS;
  if (!first) throw new Error("There is no route.");
  const broken = { ...first, input: z.object({ when: z.date() }) } as Route;
  expect(() => openApiDocument([broken])).toThrow(/^POST \/bills\/pay cannot be described: /);
});

function someAccount(): Account {
  const list = parseAllowlist([]);
  if (!list.ok) throw new Error("An empty list is a list.");
  return {
    accountId: "A1",
    name: "Asha Stores",
    sandbox: false,
    standing: "active",
    kyc: "verified",
    agreement: "signed",
    wallet: "active",
    signingRequired: false,
    moneyPerMinute: 600,
    getPerMinute: 300,
    dailyLimit: null,
    services: new Set(["recharge"]),
    allowlist: list.list,
    callbackUrl: null,
    complaintCallbackUrl: null,
    callbackVersion: 2,
    hasCallbackSecret: false,
    logBodies: "failures",
    signingSecrets: [],
    createdAt: new Date(0),
  };
}
