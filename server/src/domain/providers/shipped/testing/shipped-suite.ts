import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { QueryInput, QueryName, TransactionName } from "@corprail/connector";
import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../../platform/core/strict-json.ts";
import type { ProviderExchange } from "../../connector.ts";
import { sendPlan } from "../../description/run/plan.ts";
import { defined } from "../../testing/definitions.ts";
import { NEVER, providerRequest } from "../../testing/requests.ts";
import type { TwinOptions } from "../../twin/start-twin.ts";
import { connectedTwin } from "../../twin/testing/connected-twin.ts";
import { type DescribedSubject, descriptionContract } from "./description-contract.ts";

const ROOT = new URL("../../../../../../", import.meta.url);

type Query<Name extends QueryName> = {
  readonly input: QueryInput<Name>;
  /** What the answer's value must contain. */
  readonly value: object;
};

export type ShippedSubject = {
  /** The name of the description, its file and its page. */
  readonly name: string;
  /** Values that occur nowhere else, so that they are found in evidence. */
  readonly secrets: Readonly<Record<string, string>>;
  /** What a user of a template must add to the file, as its page says. */
  readonly completed?: (settings: JsonObject) => JsonObject;
  /** A request of each transaction, with the details that the service sends. */
  readonly transactions: { readonly [Name in TransactionName]?: Parameters<typeof providerRequest>[0] };
  /** Status queries need the provider's own id. */
  readonly isAskedByOwnId?: boolean;
  readonly queries: { readonly [Name in QueryName]?: Query<Name> };
  /** How the contract kit is run on it. */
  readonly contract?: Pick<DescribedSubject, "outcomes" | "findings"> & {
    /** The transactions to run it on; the first unless given. */
    readonly transactions?: readonly TransactionName[];
  };
};

/** What every description that comes with Corprail must show, against a twin made from its own samples. */
export function shippedSuite(subject: ShippedSubject): void {
  describe(`the description ${subject.name}`, () => {
    test("has no fault, a page, and a test of every operation", () => {
      const settings = readShippedFile(subject.name);
      expect(defined(settings).name).toBe(subject.name);
      const page = new URL(`docs/providers/${subject.name}.md`, ROOT);
      expect(existsSync(page)).toBe(true);
      for (const title of ["## What you need", "## What it can do", "## What is not covered"])
        expect(readFileSync(page, "utf8")).toContain(title);
      const tested = [...Object.keys(subject.transactions), ...Object.keys(subject.queries)];
      expect(tested.sort()).toEqual(Object.keys(settings["operations"] as JsonObject).sort());
    });
    for (const [name, request] of Object.entries(subject.transactions)) transactionTests(subject, name as TransactionName, request);
    for (const [name, query] of Object.entries(subject.queries)) queryTest(subject, name as QueryName, query as Query<QueryName>);
  });
  contractTests(subject);
}

function contractTests(subject: ShippedSubject): void {
  const { secrets, transactions, contract = {} } = subject;
  const { transactions: chosen = (Object.keys(transactions) as TransactionName[]).slice(0, 1), ...results } = contract;
  for (const transaction of chosen)
    descriptionContract({ settings: settingsOf(subject), secrets, transaction, request: transactions[transaction] ?? {}, ...results });
}

function transactionTests(subject: ShippedSubject, name: TransactionName, request: Parameters<typeof providerRequest>[0]): void {
  test(`${name} succeeds once, its status is remembered, and its evidence has no secret`, async () => {
    const { connector, twin } = await connectTwin(subject);
    const sent = providerRequest(request);
    const evidence: ProviderExchange[] = [];
    const outcome = await connector.send(sent, NEVER, (one) => evidence.push(one));
    expect(outcome).toMatchObject({ kind: "succeeded" });
    const known = { ...sent, ...(outcome.providerRef === undefined ? {} : { providerRef: outcome.providerRef }) };
    expect(await connector.ask(known, NEVER, (one) => evidence.push(one))).toMatchObject({ kind: "succeeded" });
    expect(twin.orders().map((order) => order.sends)).toEqual([1]);
    expect(evidence.length).toBeGreaterThan(1);
    for (const secret of Object.values(subject.secrets)) expect(JSON.stringify(evidence)).not.toContain(secret);
  });

  // A provider need not know every answer: what it does not document has no sample.
  const answers = (["declined", "pending"] as const).filter((answer) => hasSample(subject, name, answer));
  test.each(answers)(`${name} that the provider answers as %s is read as such`, async (answer) => {
    const { connector } = await connectTwin(subject, { answer });
    expect((await connector.send(providerRequest(request), NEVER)).kind).toBe(answer);
  });

  test.each(["cut", "500"] as const)(
    `${name} with the fault %s stays unknown, is not sent again, and silence never fails it`,
    async (fault) => {
      const { connector, twin } = await connectTwin(subject, { fault });
      const sent = providerRequest(request);
      expect((await connector.send(sent, NEVER)).kind).toBe("unknown");
      // A provider that is asked by its own id only cannot be asked without it.
      const found = await connector.ask(sent, NEVER);
      expect(found.kind).toBe(subject.isAskedByOwnId === true ? "unknown" : "succeeded");
      expect(twin.orders().map((order) => order.sends)).toEqual([1]);
    },
  );
}

function hasSample(subject: ShippedSubject, name: TransactionName, answer: string): boolean {
  const { steps } = sendPlanOf(subject, name);
  return steps.some((step) => step.sends && Object.keys(step.samples).some((sample) => sample.split(".")[0] === answer));
}

function sendPlanOf(subject: ShippedSubject, name: TransactionName) {
  const definition = defined(settingsOf(subject));
  const transaction = definition.operations[name] ?? expect.fail(`There is no operation ${name}.`);
  return sendPlan(definition, name, transaction);
}

function queryTest(subject: ShippedSubject, name: QueryName, { input, value }: Query<QueryName>): void {
  test(`${name} is answered`, async () => {
    const { connector } = await connectTwin(subject);
    expect(await connector.query(name, input, NEVER)).toMatchObject({ kind: "answered", value });
  });
}

export type ConnectedSubject = Pick<ShippedSubject, "name" | "secrets" | "completed">;

/** The description as it is used. */
export function settingsOf({ name, completed }: ConnectedSubject): JsonObject {
  const settings = readShippedFile(name);
  return completed === undefined ? settings : completed(settings);
}

/** The connector of a shipped description, connected to a twin of the provider. */
export async function connectTwin(subject: ConnectedSubject, options: TwinOptions = {}) {
  return await connectedTwin(settingsOf(subject), { secrets: subject.secrets, ...options });
}

export function readShippedFile(name: string): JsonObject {
  const path = fileURLToPath(new URL(`connectors/shipped/${name}.json`, ROOT));
  return JSON.parse(readFileSync(path, "utf8")) as JsonObject;
}
