import { type OperationName, QUERIES, type QueryName, TRANSACTIONS, type TransactionName } from "@corprail/connector";
import type { CorprailService } from "./settings.ts";

/** Whatever the services: the account's balance and its complaints. */
const EVERY: readonly OperationName[] = ["balance", "complaints.raise", "complaints.status"];

/** The queries without a service in their name that belong to recharge. */
const OF_RECHARGE: readonly OperationName[] = ["lookup", "plans"];

/** The other installation keeps senders and sends its own one-time passwords, so it cannot do these. */
const NOT_THERE: ReadonlySet<OperationName> = new Set(["otp.send", "transfers.sender.check"]);

/** Every operation of the chosen services. */
export function corprailOperations(services: readonly CorprailService[]): ReadonlySet<OperationName> {
  const names = [...Object.keys(TRANSACTIONS), ...Object.keys(QUERIES)] as (TransactionName | QueryName)[];
  const ofServices = names.filter((name) => services.some((service) => name.startsWith(`${service}.`)));
  const all = [...EVERY, ...(services.includes("recharge") ? OF_RECHARGE : []), ...ofServices];
  return new Set(all.filter((name) => !NOT_THERE.has(name)));
}
