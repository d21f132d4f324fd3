import type { OperationName } from "./operations.ts";

// A file of its own without the operations' schemas, because the console uses it in the browser.

/** What a service cannot do without. A provider that lacks any of these cannot be routed to for the service. */
export const REQUIRED_OPERATIONS: Readonly<Record<string, readonly OperationName[]>> = {
  recharge: ["recharge.pay"],
  bills: ["bills.pay", "bills.billers", "bills.fetch"],
  transfers: ["transfers.send"],
  bus: ["bus.book", "bus.cities", "bus.trips", "bus.seats", "bus.block", "bus.cancel"],
  aeps: ["aeps.cash_withdrawal", "aeps.balance_enquiry", "aeps.banks", "aeps.outlet.register", "aeps.authenticate"],
};

/** Where a service can be carried out in several ways: a provider needs all operations of one of them. */
const ALTERNATIVES: Readonly<Record<string, readonly (readonly OperationName[])[]>> = {
  // One-time passwords minted by the provider, or minted by us and sent by the provider.
  transfers: [["transfers.sender.register", "transfers.sender.verify"], ["otp.send"]],
};

/** An operation that is of no use without another one. */
const COMPANIONS: readonly (readonly [OperationName, OperationName])[] = [["transfers.sender.register", "transfers.sender.verify"]];

/** What a provider with these operations lacks for a service, in words; empty when it can serve it. */
export function missingOperations(service: string, operations: ReadonlySet<OperationName>): readonly string[] {
  const lacks = (name: OperationName) => !operations.has(name);
  const single = (REQUIRED_OPERATIONS[service] ?? []).filter(lacks);
  const companions = COMPANIONS.filter(([name, other]) => name.startsWith(`${service}.`) && !lacks(name) && lacks(other));
  const ways = ALTERNATIVES[service] ?? [];
  const hasNoWay = companions.length === 0 && ways.length > 0 && ways.every((names) => names.some(lacks));
  return [
    ...single,
    ...companions.map(([name, other]) => `${other}, which ${name} needs`),
    ...(hasNoWay ? [ways.map((names) => names.join(" and ")).join(", or ")] : []),
  ];
}
