import type { Reply } from "../../../api/client/replies.ts";
import type { Account } from "../actors/clients.ts";
import type { Storage } from "../environment/storage.ts";
import type { World } from "../environment/world.ts";

/** What a client wants to buy, once. */
export type Purchase = {
  readonly account: Account;
  readonly urid: string;
  readonly target: string;
  /** In whole rupees. */
  readonly amount: number;
  /** The order that replies have named; null before the first one. */
  orderId: string | null;
  /** A reply said pending, so a callback must report the final state. */
  answeredPending: boolean;
  /** A reply could not be sent, which version 3 makes up for by a callback. */
  replyLost: boolean;
  /** The first final state in a reply, and when it arrived. */
  finalReply: { state: "SUCCESS" | "FAILED"; at: number } | null;
};

export type TopUp = { readonly accountId: string; readonly reference: string; readonly amount: number; acknowledged: boolean };

const FRESH_MILLISECONDS = 300_000;

/**
 * The specification, in its simplest form: what may be true for each purchase, each wallet and each nonce. It shares no code
 * with the service. Everything that contradicts it is a violation.
 */
export class Model {
  readonly purchases = new Map<string, Purchase>();
  readonly topUps: TopUp[] = [];
  readonly violations: string[] = [];
  /** Orders that staff have reversed or settled. */
  readonly touchedByStaff = new Set<string>();
  readonly #world: World;
  readonly #storage: Storage;
  /** When each nonce was accepted, in virtual time. */
  readonly #nonces = new Map<string, number>();

  constructor(world: World, storage: Storage) {
    this.#world = world;
    this.#storage = storage;
  }

  violated(what: string): void {
    this.violations.push(what);
    this.#world.time.stop();
  }

  intend(account: Account, wanted: Pick<Purchase, "urid" | "target" | "amount">): Purchase {
    const purchase: Purchase = { ...wanted, account, orderId: null, answeredPending: false, replyLost: false, finalReply: null };
    this.purchases.set(keyOf(account.accountId, wanted.urid), purchase);
    return purchase;
  }

  /** A signed request has passed the gate. */
  passed({ accountId }: Account, nonce: string): void {
    const key = `${accountId}/${nonce}`;
    const { time } = this.#world;
    const acceptedAt = this.#nonces.get(key);
    // Known: nonces are deleted when they have expired, and a clock that is set back makes their requests fresh again.
    const isKnown = acceptedAt !== undefined && time.setBackSince(acceptedAt) > FRESH_MILLISECONDS;
    if (acceptedAt !== undefined && !isKnown) this.violated(`The nonce ${nonce} of account ${accountId} was accepted twice.`);
    this.#nonces.set(key, time.now);
  }

  /** The number of the wallet's last transfer; null while a transaction is open, because it could be rolled back. */
  walletSequence(accountId: string): number | null {
    if (!this.#storage.isFree()) return null;
    return Number(this.#storage.execute(`select seq from wallets where account_id = '${accountId}'`)[0]?.[0] ?? 0);
  }

  /** The service has made a reply to a request that arrived at `arrivedAt`, when the wallet had this many transfers. */
  sent(purchase: Purchase, { body }: Reply, wasSent: boolean, sequence: number | null, arrivedAt: number): void {
    const { status, order_id: orderId, balance } = body;
    if (typeof orderId !== "string" || orderId === "") return;
    if (purchase.orderId !== null && purchase.orderId !== orderId)
      this.violated(`The purchase ${purchase.urid} has two orders, ${purchase.orderId} and ${orderId}.`);
    purchase.orderId = orderId;
    if (status === "pending" && wasSent) purchase.answeredPending = true;
    if (!wasSent) purchase.replyLost = true;
    this.#checkOrderOfStates(purchase, String(status), arrivedAt);
    if (typeof balance === "string" && sequence !== null) this.#checkBalance(purchase, balance, sequence);
  }

  /** A final state is never taken back, except that a success may be reversed. */
  #checkOrderOfStates(purchase: Purchase, status: string, arrivedAt: number): void {
    const { finalReply, urid } = purchase;
    if (finalReply?.state === "FAILED" && status === "SUCCESS") this.violated(`The purchase ${urid} was told FAILED and then SUCCESS.`);
    if (finalReply && status === "pending" && arrivedAt > finalReply.at)
      this.violated(`The purchase ${urid} was told ${finalReply.state} and then pending.`);
    if (status === "SUCCESS" || status === "FAILED") {
      if (finalReply?.state === status) return;
      purchase.finalReply = { state: status, at: finalReply?.at ?? this.#world.time.now };
    }
  }

  /** A reply's balance is one that the wallet had between the request's arrival and the reply. */
  #checkBalance({ account, urid }: Purchase, balance: string, sequence: number): void {
    if (!this.#storage.isFree()) return;
    const units = BigInt(balance.replace(".", ""));
    const rows = this.#storage.execute(
      `select 1 from transfers where account_id = '${account.accountId}' and seq >= ${sequence} and available_after = ${units} limit 1`,
    );
    if (rows.length === 0) this.violated(`The reply to ${urid} showed the balance ${balance}, which the wallet did not have at that time.`);
  }
}

export function keyOf(accountId: string, urid: string): string {
  return `${accountId}/${urid}`;
}
