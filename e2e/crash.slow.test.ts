import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { postmasterPid } from "../server/src/platform/db/embedded/stop-servers.ts";
import { until } from "./harness/deadline.ts";
import { type Client, change, newClient, operator } from "./harness/operator.ts";
import { type Service, startService } from "./harness/service.ts";

// `CRASH_ROUNDS=50 npx vitest run e2e/crash.slow.test.ts` for a longer look.
const ROUNDS = Number(process.env["CRASH_ROUNDS"] ?? 2);
const ORDERS_BETWEEN_FAULTS = 150;
const CONNECTIONS = 24;
const TOP_UP = 100_000;
const ENDINGS = ["000", "000", "000", "102", "200", "150"];

type Acknowledged = { readonly client: Client; readonly orderId: string; readonly status: string };

test(`no acknowledged order is lost and no money made when the service and PostgreSQL are killed ${ROUNDS} times under load`, {
  timeout: 90_000 + ROUNDS * 30_000,
}, async () => {
  const dataFolder = await mkdtemp(join(tmpdir(), "corprail-crash-"));
  const environment = { CORPRAIL_DATA_DIR: dataFolder, CORPRAIL_SIMULATOR_DELAY_MS: "300", CORPRAIL_REPLY_WAIT_MS: "1000" };
  let service: Service = await startService(environment);
  try {
    const clients = await Promise.all([1, 2, 3].map(() => richClient(service)));
    const [agreed] = clients;
    await change(service, "/pricing", { account_id: agreed?.accountId ?? "", fee: { flat: "0.10" }, commission: { flat: "0.25" } });
    const load = startLoad(() => service, clients);
    for (let round = 0; round < ROUNDS; round++) {
      const enough = load.acknowledged.size + ORDERS_BETWEEN_FAULTS;
      await until("more orders are acknowledged", () => load.acknowledged.size >= enough);
      if (round % 2 === 0) {
        await service.kill();
        service = await startService(environment);
      } else process.kill(postmasterPid(join(dataFolder, "postgres")) ?? 0, "SIGKILL");
    }
    await until("it answers again", () => load.acknowledged.size >= ORDERS_BETWEEN_FAULTS * ROUNDS + 20);
    await load.stop();
    await expectNothingLost(service, clients, load);
  } finally {
    await service.stop();
    await rm(dataFolder, { recursive: true, force: true });
  }
});

async function richClient(service: Service): Promise<Client> {
  const client = await newClient(service, { settings: { money_per_minute: 1_000_000, get_per_minute: 1_000_000 } });
  await change(service, `/accounts/${client.accountId}/wallet`, { amount: `${TOP_UP}.00`, reference: "start", note: "crash test" });
  return client;
}

type Load = {
  readonly acknowledged: ReadonlyMap<string, Acknowledged>;
  /** Sent, but nobody can say what became of them. */
  readonly unsure: ReadonlyMap<string, Client>;
  readonly stop: () => Promise<void>;
};

function startLoad(service: () => Service, clients: readonly Client[]): Load {
  const acknowledged = new Map<string, Acknowledged>();
  const unsure = new Map<string, Client>();
  let running = true;
  const loop = async (place: number) => {
    const client = clients[place % clients.length] as Client;
    for (let count = 0; running; count++) {
      const urid = randomBytes(8).toString("hex");
      const body = { account: `9876543${ENDINGS[count % ENDINGS.length]}`, operator: "AT", amount: "10.00", urid };
      const reply = await recharge(service(), client, body);
      if (reply?.status === 200 && reply.body["order_id"]) {
        acknowledged.set(urid, { client, orderId: String(reply.body["order_id"]), status: String(reply.body["status"]) });
      } else {
        unsure.set(urid, client);
        await until("it is up again", () => isUp(service()));
      }
    }
  };
  const loops = Array.from({ length: CONNECTIONS }, (_, place) => loop(place));
  return {
    acknowledged,
    unsure,
    stop: async () => {
      running = false;
      await Promise.all(loops);
    },
  };
}

async function isUp(service: Service): Promise<boolean> {
  return await fetch(`${service.url}/readyz`).then(
    (reply) => reply.ok,
    () => false,
  );
}

type Answer = { readonly status: number; readonly body: Readonly<Record<string, unknown>> };

async function recharge(service: Service, client: Client, body: object): Promise<Answer | null> {
  return await call(service, client, "/recharge", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
}

async function call(service: Service, client: Client, path: string, init: RequestInit = {}): Promise<Answer | null> {
  try {
    const headers = { ...init.headers, "x-api-token": client.token };
    const reply = await fetch(`${service.url}/api/corp/v1${path}`, { ...init, headers, signal: AbortSignal.timeout(20_000) });
    return { status: reply.status, body: (await reply.json()) as Record<string, unknown> };
  } catch {
    // The service is down, or went down meanwhile: no answer, which says nothing.
    return null;
  }
}

/** What a success costs: the first one has agreed on a fee and a commission. */
const COSTS = [9.85, 10, 10];

async function expectNothingLost(service: Service, clients: readonly Client[], load: Load): Promise<void> {
  const successes = new Map(clients.map((client) => [client.accountId, 0]));
  const all = [
    ...[...load.acknowledged].map(([urid, { client }]) => ({ urid, client })),
    ...[...load.unsure].map(([urid, client]) => ({ urid, client })),
  ];
  const finals = await Promise.all(all.map(async (one) => ({ ...one, final: await finalAnswer(service, one.client, one.urid) })));
  for (const { urid, client, final } of finals) {
    const known = load.acknowledged.get(urid);
    if (known) expect(final).toMatchObject({ status: 200, body: { order_id: known.orderId } });
    if (known && known.status !== "pending") expect(final.body["status"]).toBe(known.status);
    if (final.body["status"] === "SUCCESS") successes.set(client.accountId, (successes.get(client.accountId) ?? 0) + 1);
  }
  for (const [place, client] of clients.entries()) {
    const balance = await until("the balance", () => call(service, client, "/balance"));
    const left = TOP_UP - (COSTS[place] ?? 0) * (successes.get(client.accountId) ?? 0);
    expect(balance.body).toMatchObject({ held: "0.0000", balance: left.toFixed(4) });
  }
  const check = await operator(service, "GET", "/ledger/check");
  expect(check.body).toMatchObject({ ok: true });
}

/** How an order ended; 404 when there never was one. */
async function finalAnswer(service: Service, client: Client, urid: string): Promise<Answer> {
  return await until(
    `order ${urid} is final`,
    async () => {
      const answer = await call(service, client, `/recharge?urid=${urid}`);
      return answer && (answer.status === 404 || answer.body["status"] === "SUCCESS" || answer.body["status"] === "FAILED") ? answer : null;
    },
    60_000,
  );
}
