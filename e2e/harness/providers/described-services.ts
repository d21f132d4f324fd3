import { Corprail } from "@corprail/sdk";
import { expect } from "vitest";
import { until } from "../deadline.ts";
import { type Client, change, type JsonRecord, newCallbackSecret, newClient, operator } from "../operator.ts";
import { type Listener, startListener } from "../servers/listener.ts";
import { type Installation, type Service, startInstallation } from "../service.ts";
import { type FakeProvider, startFakeProvider } from "./fake-provider.ts";
import { describe } from "./fake-provider-description.ts";

const SERVICES = { bills: true, transfers: true, bus: true, aeps: true, recharge: true };
export const QUICK = { firstCheckAfterMs: 50, checkEveryMs: 100, giveUpAfterMs: 60_000 } as const;

/** An installation whose orders go to described providers, with one client. */
export type Described = {
  readonly service: Service;
  readonly account: Client;
  readonly api: Corprail;
  readonly first: FakeProvider;
  readonly second: FakeProvider;
  readonly callbacks: () => readonly Readonly<Record<string, string>>[];
  readonly balance: () => Promise<number>;
  /** The order as staff see it. */
  readonly detail: (orderId: string) => Promise<JsonRecord>;
  readonly close: () => Promise<void>;
};

export type Routed = { readonly service: string; readonly operations: JsonRecord };

/** Starts a service with the providers `first` and `second`, which are tried in this order. */
export async function startDescribed(
  { service: routed, operations }: Routed,
  prepare?: (provider: FakeProvider) => void,
): Promise<Described> {
  const [installation, first, second, listener] = await Promise.all([
    startInstallation({ CORPRAIL_CALLBACK_ALLOW: "127.0.0.0/8" }),
    startFakeProvider(),
    startFakeProvider(),
    startListener(),
  ]);
  const { service } = installation;
  const account = await newClient(service, { services: SERVICES });
  await newCallbackSecret(service, account.accountId);
  await change(service, `/accounts/${account.accountId}`, { callback_url: `${listener.url}/callback`, callback_version: 3 });
  await change(service, `/accounts/${account.accountId}/wallet`, { amount: "100000.00", reference: "start", note: "" });
  for (const [position, [name, provider]] of Object.entries({ first, second }).entries()) {
    prepare?.(provider);
    await change(service, "/providers", { definition: describe(name, provider, operations), secrets: provider.keys });
    await change(service, "/routes", { service: routed, operator: "*", provider: name, priority: position + 1 });
  }
  const api = new Corprail({ baseUrl: service.url, token: account.token, signingSecret: account.secret });
  return {
    ...{ service, account, api, first, second },
    callbacks: () => listener.heard.map(({ body }) => JSON.parse(body) as Readonly<Record<string, string>>),
    balance: async () => Number((await api.account.balance()).balance),
    detail: async (orderId) => (await operator(service, "GET", `/orders/${orderId}`)).body,
    close: () => closeAll(installation, [first, second], listener),
  };
}

async function closeAll(installation: Installation, providers: readonly FakeProvider[], listener: Listener): Promise<void> {
  await installation.close();
  await Promise.all([...providers.map((one) => one.close()), listener.close()]);
}

let references = 0;
export const newReference = (name: string) => `${name}-${++references}`;

/** The order's id, whatever the outcome. */
export const orderIdOf = (outcome: object) => ("orderId" in outcome ? String(outcome.orderId) : "");

export async function expectBalancedBooks({ service }: Pick<Described, "service">): Promise<void> {
  expect((await operator(service, "GET", "/ledger/check")).body).toMatchObject({ ok: true });
}

/** Waits until the client was told the status of its request. */
export const calledBack = (described: Pick<Described, "callbacks">, reference: string, status: string) =>
  until(`the client hears ${status} of ${reference}`, () =>
    described.callbacks().find((one) => one["urid"] === reference && one["status"] === status),
  );
