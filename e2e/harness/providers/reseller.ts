import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Corprail } from "@corprail/sdk";
import { expect } from "vitest";
import { corprail } from "../../../cli/testing/processes.ts";
import { until } from "../deadline.ts";
import { type Client, change, newCallbackSecret, newClient, operator } from "../operator.ts";
import { type CheckingProxy, startCheckingProxy } from "../servers/checking-proxy.ts";
import { type Listener, startListener } from "../servers/listener.ts";
import { type Environment, type Installation, startInstallation } from "../service.ts";

const PACE = { CORPRAIL_SIMULATOR_DELAY_MS: "300", CORPRAIL_SIMULATOR_TIMEOUT_MS: "500", CORPRAIL_CALLBACK_ALLOW: "127.0.0.0/8" };
// A test polls more often than the default budgets allow, and the SDK would then wait for the next minute.
const BUDGETS = { money_per_minute: 100_000, get_per_minute: 100_000 };
const SERVICES = { bills: true, transfers: true, bus: true, aeps: true, recharge: true };

/** One installation sells what it buys from another: it is a client of the provider. */
export type Reseller = {
  readonly provider: Installation;
  readonly reseller: Installation;
  readonly proxy: CheckingProxy;
  /** The reseller's account at the provider. */
  readonly there: { readonly account: Client; readonly api: Corprail };
  /** The account of the reseller's own client. */
  readonly here: { readonly account: Client; readonly api: Corprail };
  /** What the reseller's client is told by callbacks, the newest last. */
  readonly callbacks: () => readonly CallbackFields[];
  /** Kills the provider's process without warning. Returns what starts it again on the same data. */
  readonly killProvider: () => Promise<() => Promise<void>>;
  readonly close: () => Promise<void>;
};

export type CallbackFields = Readonly<Record<string, string>>;

/** The provider's simulator can have a pace of its own. */
export async function startReseller(pace: Environment = {}): Promise<Reseller> {
  const atProvider = { ...PACE, ...pace };
  const [first, reseller] = await Promise.all([startInstallation(atProvider), startInstallation(PACE)]);
  let provider = first;
  const [proxy, listener] = [await startCheckingProxy(provider.service.port), await startListener()];
  const [there, here] = [await newAccount(provider), await newAccount(reseller)];
  const secret = await callBack(provider, there, { callback_url: `${reseller.service.url}/upstream/partner/callback` });
  await callBack(reseller, here, { callback_url: `${listener.url}/callback`, complaint_callback_url: `${listener.url}/complaint` });
  await connect({ reseller, proxy, there, secret });
  const [apiThere, apiHere] = [apiOf(proxy.url, there), apiOf(reseller.service.url, here)];
  // The service takes changes from the feed within a second, in their order; the route of recharges was saved last.
  await until("orders go to the partner", async () => {
    await apiHere.recharge.create({ account: "9876543000", operator: "AT", amount: "10", urid: `probe-${performance.now()}` });
    return (await apiThere.account.transactions().toArray(1)).length > 0;
  });
  return {
    get provider() {
      return provider;
    },
    reseller,
    proxy,
    there: { account: there, api: apiThere },
    here: { account: here, api: apiHere },
    callbacks: () => heardBy(listener),
    killProvider: async () => {
      const { dataFolder, operatorKey, kill } = provider.service;
      await kill();
      return async () => {
        const kept = { CORPRAIL_DATA_DIR: dataFolder, CORPRAIL_OPERATOR_KEY: operatorKey };
        const service = await provider.another({ ...atProvider, ...kept });
        provider = { ...provider, service };
        proxy.leadTo(service.port);
      };
    },
    close: async () => {
      await reseller.close();
      await proxy.close();
      await provider.close();
      await listener.close();
    },
  };
}

async function newAccount(installation: Installation): Promise<Client> {
  const account = await newClient(installation.service, { services: SERVICES, settings: BUDGETS });
  const topUp = { amount: "100000.00", reference: "start", note: "" };
  await change(installation.service, `/accounts/${account.accountId}/wallet`, topUp);
  return account;
}

async function callBack({ service }: Installation, { accountId }: Client, urls: Environment): Promise<string> {
  const secret = await newCallbackSecret(service, accountId);
  await change(service, `/accounts/${accountId}`, { ...urls, callback_version: 3 });
  return secret;
}

function apiOf(baseUrl: string, { token, secret }: Client): Corprail {
  return new Corprail({ baseUrl, token, signingSecret: secret });
}

function heardBy(listener: Listener): readonly CallbackFields[] {
  return listener.heard.map((one) => JSON.parse(one.body) as CallbackFields);
}

type Link = Pick<Reseller, "reseller" | "proxy"> & { readonly there: Client; readonly secret: string };

/** Saves the provider and its routes as the platform's staff do. */
async function connect({ reseller, proxy, there, secret }: Link): Promise<void> {
  const file = join(reseller.service.dataFolder, "partner.json");
  await writeFile(file, JSON.stringify({ name: "partner", connector: "corprail", base_url: proxy.url, plain_http: true }));
  const variables = {
    CORPRAIL_DATABASE_URL: reseller.databaseUrl,
    CORPRAIL_DATA_DIR: reseller.service.dataFolder,
    CORPRAIL_PROVIDER_ALLOW: "127.0.0.0/8",
    CORPRAIL_PROVIDER_PARTNER_TOKEN: there.token,
    CORPRAIL_PROVIDER_PARTNER_SIGNING_SECRET: there.secret,
    CORPRAIL_PROVIDER_PARTNER_CALLBACK_SECRET: secret,
  };
  for (const words of [["save", file], ...Object.keys(SERVICES).map((service) => ["route", service, "*", "partner"])]) {
    expect(await corprail(["provider", ...words], variables)).toMatchObject({ code: 0, stderr: expect.any(String) });
  }
}

export const QUICK = { firstCheckAfterMs: 50, checkEveryMs: 100, giveUpAfterMs: 60_000 } as const;

/** The order's id here, which is its reference there. */
export const orderIdOf = (result: object): string => ("orderId" in result ? String(result.orderId) : "");

/** The callback with this status that the reseller's client gets about an order. */
export async function calledBack({ callbacks }: Reseller, urid: string, status: string): Promise<CallbackFields> {
  return await until(`the client hears ${status} of ${urid}`, () =>
    callbacks().find((one) => one["urid"] === urid && one["status"] === status),
  );
}

/** Both sets of books are right. */
export async function expectBalancedBooks({ provider, reseller }: Reseller): Promise<void> {
  for (const { service } of [provider, reseller])
    expect((await operator(service, "GET", "/ledger/check")).body).toMatchObject({ ok: true });
}

export type Balances = { readonly here: number; readonly there: number };

/** The balances at both installations, in rupees. */
export async function balancesOf({ here, there }: Reseller): Promise<Balances> {
  const [ours, theirs] = await Promise.all([here.api.account.balance(), there.api.account.balance()]);
  return { here: Number(ours.balance), there: Number(theirs.balance) };
}

/** What both wallets have paid since, in rupees; negative when they were credited. */
export async function spentSince(both: Reseller, before: Balances): Promise<Balances> {
  const after = await balancesOf(both);
  return { here: Number((before.here - after.here).toFixed(4)), there: Number((before.there - after.there).toFixed(4)) };
}
