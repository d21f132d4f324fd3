import { Calls } from "./calls.js";
import { Account } from "./services/account.js";
import { Aeps } from "./services/aeps.js";
import { Bills } from "./services/bills.js";
import { Bus } from "./services/bus.js";
import { Complaints } from "./services/complaints.js";
import { Recharge } from "./services/recharge.js";
import { Transfers } from "./services/transfers.js";
import { type CorprailOptions, readSettings } from "./settings.js";

/**
 * The client. Its credentials live in private fields only, which neither util.inspect nor JSON.stringify shows.
 *
 *     const corprail = new Corprail({ baseUrl, token, signingSecret });
 */
export class Corprail {
  readonly recharge: Recharge;
  readonly account: Account;
  readonly complaints: Complaints;
  readonly bills: Bills;
  readonly transfers: Transfers;
  readonly bus: Bus;
  readonly aeps: Aeps;

  constructor(options: CorprailOptions) {
    const calls = new Calls(readSettings(options));
    this.recharge = new Recharge(calls);
    this.account = new Account(calls);
    this.complaints = new Complaints(calls);
    this.bills = new Bills(calls);
    this.transfers = new Transfers(calls);
    this.bus = new Bus(calls);
    this.aeps = new Aeps(calls);
  }
}
