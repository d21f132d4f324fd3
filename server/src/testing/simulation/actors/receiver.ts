import type { Message } from "../../../domain/callbacks/delivery/formats.ts";
import type { Outcome, Sender } from "../../../domain/callbacks/delivery/send.ts";
import { isValidVersion2, isValidVersion3 } from "../../../domain/callbacks/testing/verify.ts";
import type { Owner } from "../environment/event-queue.ts";
import type { Random } from "../environment/random.ts";
import type { World } from "../environment/world.ts";

/** A callback as its receiver got it. */
export type Received = { readonly orderId: string; readonly status: string; readonly ts: number; readonly accepted: boolean };

export type Keys = { readonly version: 2 | 3; readonly key: string };

const TIMEOUT_MILLISECONDS = 10_000;

/** The clients' receivers, behind a network that loses, delays and repeats. */
export class Receivers {
  readonly received = new Map<string, Received[]>();
  readonly violations: string[] = [];
  /** By the account's host name. */
  readonly keys = new Map<string, Keys>();
  isDown = false;
  readonly #world: World;
  readonly #random: Random;
  readonly #nonces = new Set<string>();

  constructor(world: World) {
    this.#world = world;
    this.#random = world.random.fork("receivers");
  }

  senderOf(owner: Owner): Sender {
    return { send: (message) => this.#send(owner, message), cancel: () => {}, close: async () => {} };
  }

  #send(owner: Owner, message: Message): Promise<Outcome> {
    const { time } = this.#world;
    return new Promise((resolve) => {
      const fault = this.#fault();
      const end = (outcome: Outcome) => {
        timeout.isCancelled = true;
        resolve(outcome);
      };
      const timeout = time.after(TIMEOUT_MILLISECONDS, () => resolve({ httpStatus: null, error: "No answer within 10 seconds." }), owner);
      if (this.isDown) return void time.after(3, () => end({ httpStatus: null, error: "connection refused" }), owner);
      if (fault === "lost") return;
      time.after(5 + this.#random.next() * 200 + (fault === "late" ? this.#random.next() * 20_000 : 0), () => {
        const isTaken = fault !== "refused";
        this.#take(message, isTaken);
        if (fault === "answer lost") return;
        time.after(
          5 + this.#random.next() * 100,
          () => end({ httpStatus: isTaken ? 200 : 500, error: isTaken ? null : "status 500" }),
          owner,
        );
      });
    });
  }

  #fault(): "lost" | "late" | "refused" | "answer lost" | null {
    if (!this.#random.chance(this.#world.faultRate("receiver network"))) return null;
    const fault = this.#random.pick(["lost", "late", "refused", "answer lost"] as const);
    this.#world.countFault(`receiver: ${fault}`);
    return fault;
  }

  #take({ origin, path, headers, body }: Message, accepted: boolean): void {
    const keys = this.keys.get(new URL(origin).hostname);
    if (!keys) return void this.violations.push(`A callback went to ${origin}, which no account has named.`);
    const isValid =
      keys.version === 3
        ? isValidVersion3({ headers, body: body ?? Buffer.alloc(0) }, keys.key)
        : isValidVersion2({ target: path }, keys.key);
    if (!isValid) this.violations.push(`A callback to ${origin} was not signed correctly.`);
    const fields: Record<string, string> = body ? JSON.parse(body.toString()) : Object.fromEntries(new URL(path, origin).searchParams);
    const { orderid: orderId = "", status = "", ts = "0", nonce = "" } = fields;
    if (this.#nonces.has(nonce)) this.violations.push(`Two callbacks have the nonce ${nonce}.`);
    this.#nonces.add(nonce);
    this.#world.step("callback", `${orderId} ${status} ${ts}${accepted ? "" : " refused"}`);
    const list = this.received.get(orderId) ?? [];
    list.push({ orderId, status, ts: Number(ts), accepted });
    this.received.set(orderId, list);
  }
}
