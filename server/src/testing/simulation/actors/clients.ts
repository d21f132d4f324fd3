import type { Socket } from "node:net";
import { signatureHeaders } from "../../../../../e2e/harness/sign.ts";
import { dispatch } from "../../../api/client/dispatch.ts";
import type { Reply } from "../../../api/client/replies.ts";
import { PREFIX } from "../../../api/client/route-table.ts";
import type { JsonObject } from "../../../platform/core/strict-json.ts";
import type { Model, Purchase } from "../checks/model.ts";
import type { Random } from "../environment/random.ts";
import type { World } from "../environment/world.ts";
import type { SimulatedProcess } from "./simulated-process.ts";

export type Account = {
  readonly accountId: string;
  readonly token: string;
  readonly secret: string;
  readonly version: 2 | 3;
  readonly host: string | null;
};

/** A request as it is sent: an eavesdropper can send exactly the same again. */
type Sent = {
  readonly account: Account;
  readonly method: "GET" | "POST";
  readonly target: string;
  readonly headers: readonly string[];
  readonly body: Buffer;
  readonly nonce: string;
  readonly purchase: Purchase | null;
};

const TIMEOUT_MILLISECONDS = 15_000;
const SOCKET = { remoteAddress: "192.0.2.1" } as Socket;

/** The clients' programs: they buy, give up waiting, try again, look results up, and somebody repeats what they have sent. */
export class Clients {
  readonly #world: World;
  readonly #model: Model;
  readonly #random: Random;
  readonly #processes: () => readonly SimulatedProcess[];
  #purchases = 0;

  constructor(world: World, model: Model, processes: () => readonly SimulatedProcess[]) {
    this.#world = world;
    this.#model = model;
    this.#random = world.random.fork("clients");
    this.#processes = processes;
  }

  /** Buys something, and insists until it knows the result. */
  buy(account: Account): void {
    const random = this.#random;
    const target = `98765${String(random.between(0, 99_999)).padStart(5, "0")}`;
    const purchase = this.#model.intend(account, { urid: `U${++this.#purchases}`, target, amount: random.between(10, 300) });
    this.#attempt(purchase, random.pick([1, 1, 2, 4, 8]));
    if (random.chance(0.08)) this.#world.soon(random, 3_000, () => this.#attempt(purchase, 1));
  }

  #attempt(purchase: Purchase, triesLeft: number): void {
    const { urid, target, amount } = purchase;
    const body = Buffer.from(JSON.stringify({ account: target, operator: "AT", amount: String(amount), urid }));
    this.#send(this.#signed(purchase.account, "POST", "/recharge", body, purchase), (reply) => {
      const status = reply?.body["status"];
      const isKnown = status === "SUCCESS" || status === "FAILED";
      if (!isKnown && triesLeft > 1) this.#again(purchase, triesLeft - 1, status === "pending");
    });
  }

  #again(purchase: Purchase, triesLeft: number, isPending: boolean): void {
    const wait = this.#random.pick([500, 5_000, 60_000, 30 * 60_000]) * (0.5 + this.#random.next());
    this.#world.time.after(wait, () => (isPending ? this.#look(purchase, triesLeft) : this.#attempt(purchase, triesLeft)));
  }

  #look(purchase: Purchase, triesLeft: number): void {
    this.#send(this.#signed(purchase.account, "GET", `/recharge?urid=${purchase.urid}`, Buffer.alloc(0), purchase), (reply) => {
      if (reply?.body["status"] !== "SUCCESS" && triesLeft > 1) this.#again(purchase, triesLeft - 1, true);
    });
  }

  #signed(account: Account, method: "GET" | "POST", path: string, body: Buffer, purchase: Purchase | null): Sent {
    const nonce = this.#random.fill(Buffer.alloc(12)).toString("hex");
    const [plain = path, search] = path.split("?");
    const query = search === undefined ? [] : search.split("&").map((pair) => pair.split("=") as [string, string]);
    const timestamp = String(Math.floor(this.#world.time.wall() / 1000));
    const signature = signatureHeaders({ method, path: PREFIX + plain, query, body, secret: account.secret, timestamp, nonce });
    const plainHeaders = [
      ["Host", "a"],
      ["X-Api-Token", account.token],
    ];
    const bodyHeaders =
      method === "POST"
        ? [
            ["Content-Type", "application/json"],
            ["Content-Length", String(body.length)],
          ]
        : [];
    const headers = [...plainHeaders, ...bodyHeaders, ...signature].flat();
    return { account, method, target: PREFIX + path, headers, body, nonce, purchase };
  }

  /** Sends a request over the network. `done` gets the reply, or null when none came in time. */
  #send(sent: Sent, done: (reply: Reply | null) => void): void {
    const { time } = this.#world;
    let isOver = false;
    const end = (reply: Reply | null) => {
      if (isOver) return;
      isOver = true;
      timeout.isCancelled = true;
      done(reply);
    };
    const timeout = time.after(TIMEOUT_MILLISECONDS, () => end(null));
    const fault = this.#fault();
    if (fault === "request lost") return;
    this.#deliver(sent, (reply) => fault !== "reply lost" && end(reply), fault === "connection lost");
    if (fault === "repeated") this.#world.soon(this.#random, 2_000, () => this.#deliver(sent, () => {}, false));
    if (this.#random.chance(0.05)) this.#repeatLater(sent);
  }

  /** Somebody sends the same bytes again, much later. */
  #repeatLater(sent: Sent): void {
    const wait = this.#random.pick([10_000, 200_000, 400_000, 3_600_000, 4 * 3_600_000]) * (0.5 + this.#random.next());
    this.#world.time.after(wait, () => {
      this.#world.countFault("client: replay");
      this.#deliver(sent, () => {}, false);
    });
  }

  #fault(): "request lost" | "reply lost" | "repeated" | "connection lost" | null {
    if (!this.#random.chance(this.#world.faultRate("client network"))) return null;
    const fault = this.#random.pick(["request lost", "reply lost", "repeated", "connection lost"] as const);
    this.#world.countFault(`client: ${fault}`);
    return fault;
  }

  #deliver(sent: Sent, take: (reply: Reply) => void, isCut: boolean): void {
    const { time } = this.#world;
    const processes = this.#processes();
    if (processes.length === 0) return;
    const process = this.#random.pick(processes);
    time.after(1 + this.#random.next() * 30, () => void this.#serve(process, sent, take, isCut), process.owner);
  }

  async #serve(process: SimulatedProcess, sent: Sent, take: (reply: Reply) => void, isCut: boolean): Promise<void> {
    const { method, target, headers, body } = sent;
    if (method === "POST") this.#world.requestArrived(process.owner);
    const arrivedAt = performance.now();
    const sequence = this.#model.walletSequence(sent.account.accountId);
    const incoming = {
      method,
      target,
      rawHeaders: headers,
      socket: SOCKET,
      arrivedAt,
      read: () => ({ kind: "whole", bytes: body }) as const,
    };
    const dispatched = await dispatch({ table: process.table, gate: process.gate }, incoming, "R", { read: 0, gate: 0, work: 0 });
    if (!dispatched) throw new Error("The request was not read.");
    const { reply, passed } = dispatched;
    process.activity.note();
    this.#world.step("client", `${process.owner.name} ${method} ${sent.purchase?.urid ?? ""} ${reply.status} ${textOf(reply.body)}`);
    if (passed?.kind === "passed") this.#model.passed(sent.account, sent.nonce);
    if (sent.purchase) this.#model.sent(sent.purchase, reply, !isCut, sequence, arrivedAt);
    reply.onSent?.(!isCut);
    if (!isCut) this.#world.time.after(1 + this.#random.next() * 30, () => take(reply));
  }
}

function textOf(body: JsonObject): string {
  const { status, code, error, order_id: orderId } = body;
  return [status, code, error, orderId].filter((part) => part !== undefined).join(" ");
}
