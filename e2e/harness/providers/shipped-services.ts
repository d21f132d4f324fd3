import { readFileSync } from "node:fs";
import { Corprail } from "@corprail/sdk";
import { readDescription } from "../../../server/src/domain/providers/description/definition.ts";
import { localDescription } from "../../../server/src/domain/providers/twin/local-description.ts";
import { startTwin, type Twin, type TwinOptions } from "../../../server/src/domain/providers/twin/start-twin.ts";
import type { JsonObject } from "../../../server/src/platform/core/strict-json.ts";
import { change, newCallbackSecret, newClient, operator } from "../operator.ts";
import { startListener } from "../servers/listener.ts";
import { startInstallation } from "../service.ts";
import type { Described } from "./described-services.ts";

/** A shipped description that is saved as a provider and leads to a twin of its own. */
export type ShippedProvider = {
  /** The name of the description's file. */
  readonly file: string;
  readonly secrets: Readonly<Record<string, string>>;
  /** What is added to the description, as a user of it may. */
  readonly more?: JsonObject;
  readonly twin?: TwinOptions;
  readonly routes: readonly { readonly service: string; readonly operator: string; readonly priority: number }[];
};

export type Shipped = Pick<Described, "service" | "api" | "callbacks" | "balance" | "detail" | "close"> & {
  readonly twin: (name: string) => Twin;
};

const SERVICES = { bills: true, transfers: true, bus: true, aeps: true, recharge: true };

/** An installation with one client, whose orders go to twins of shipped descriptions over real sockets. */
export async function startShipped(providers: Readonly<Record<string, ShippedProvider>>): Promise<Shipped> {
  const [installation, listener] = await Promise.all([startInstallation({ CORPRAIL_CALLBACK_ALLOW: "127.0.0.0/8" }), startListener()]);
  const { service } = installation;
  const account = await newClient(service, { services: SERVICES });
  await newCallbackSecret(service, account.accountId);
  await change(service, `/accounts/${account.accountId}`, { callback_url: `${listener.url}/callback`, callback_version: 3 });
  await change(service, `/accounts/${account.accountId}/wallet`, { amount: "100000.00", reference: "start", note: "" });
  const twins = new Map<string, Twin>();
  for (const [name, { file, secrets, more, twin: options, routes }] of Object.entries(providers)) {
    const settings = { ...shippedFile(file), ...more, name };
    const callbackUrl = `${service.url}/upstream/${name}/callback`;
    const twin = await startTwin(defined(settings), { secrets, callbackUrl, ...options });
    twins.set(name, twin);
    await change(service, "/providers", { definition: localDescription(settings, twin.origin), secrets });
    for (const route of routes) await change(service, "/routes", { ...route, provider: name });
  }
  const api = new Corprail({ baseUrl: service.url, token: account.token, signingSecret: account.secret });
  return {
    ...{ service, api },
    twin: (name) => twins.get(name) ?? missing(name),
    callbacks: () => listener.heard.map(({ body }) => JSON.parse(body) as Readonly<Record<string, string>>),
    balance: async () => Number((await api.account.balance()).balance),
    detail: async (orderId) => (await operator(service, "GET", `/orders/${orderId}`)).body,
    close: async () => {
      await installation.close();
      await Promise.all([...[...twins.values()].map((twin) => twin.close()), listener.close()]);
    },
  };
}

function missing(name: string): never {
  throw new Error(`There is no provider ${name}.`);
}

function shippedFile(name: string): JsonObject {
  return JSON.parse(readFileSync(new URL(`../../../connectors/shipped/${name}.json`, import.meta.url), "utf8")) as JsonObject;
}

function defined(settings: JsonObject) {
  const read = readDescription(settings);
  if (!read.ok) throw new Error(JSON.stringify(read.faults));
  return read.definition;
}
