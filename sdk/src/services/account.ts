import type { Calls } from "../calls.js";
import { successFromWire } from "../codec.js";
import { List, type ListOptions } from "../list.js";
import type { CallOptions } from "../settings.js";
import type { DayRange, Open, ServiceName } from "./shared.js";

export type Balance = {
  /** Spendable now: holds are taken off. */
  readonly balance: string;
  readonly held: string;
  readonly currency: "INR";
  readonly wallet: "active" | "suspended";
  /** Unix seconds. */
  readonly asOf: number;
};

export type ServiceInfo = {
  readonly service: ServiceName;
  readonly name: string;
  readonly enabled: boolean;
  readonly signing: "optional" | "required";
  readonly state: Open<"open" | "closed" | "off">;
  /** `HH:MM` India time, or null. */
  readonly opensAt: string | null;
  readonly closesAt: string | null;
  readonly reason: string;
  readonly limits: {
    readonly perTransactionMin: string | null;
    readonly perTransactionMax: string | null;
    readonly perDay: string | null;
    readonly usedToday: string | null;
  };
};

export type StatementLine = {
  readonly entryId: string;
  readonly at: string;
  readonly type: Open<"debit" | "refund" | "reversal" | "topup" | "adjustment" | "aeps_credit" | "fee" | "commission">;
  /** Signed: what was taken is negative. */
  readonly amount: string;
  readonly balanceAfter: string;
  readonly orderId: string;
  readonly urid: string;
  readonly service: ServiceName;
  readonly narration: string;
};

export type TransactionLine = {
  readonly status: "SUCCESS" | "FAILED" | "pending";
  readonly code: number;
  readonly orderId: string;
  readonly urid: string;
  readonly operatorRef: string | null;
  readonly amount: string;
  readonly account: string;
  readonly balance: string | null;
  readonly message: string;
  readonly service: ServiceName;
  readonly createdAt: string;
  readonly updatedAt: string;
};

export type TransactionFilter = DayRange & {
  readonly service?: ServiceName | undefined;
  readonly status?: "SUCCESS" | "FAILED" | "pending" | undefined;
};

export class Account {
  readonly #calls: Calls;

  constructor(calls: Calls) {
    this.#calls = calls;
  }

  async balance(options: CallOptions = {}): Promise<Balance> {
    return successFromWire((await this.#calls.get("/balance", {}, options)).body) as Balance;
  }

  /** Every service of the installation, and whether it is switched on for you. */
  services(options: ListOptions = {}): List<ServiceInfo> {
    return new List(this.#calls, "/services", {}, options);
  }

  /** Every change of the balance, newest first. */
  statement(range: DayRange = {}, options: ListOptions = {}): List<StatementLine> {
    return new List(this.#calls, "/statement", range, options);
  }

  /** Transactions of every service, newest first. */
  transactions(filter: TransactionFilter = {}, options: ListOptions = {}): List<TransactionLine> {
    return new List(this.#calls, "/transactions", filter, options);
  }
}
