import { type Address, contains, parseRange, type Range, textOf } from "../../platform/network/address.ts";
import type { Allowlist } from "../accounts/allowlist.ts";
import { type Call, wasAdmitted } from "./call.ts";

export type UsageKind = "token" | "secret" | "entry" | "refused";

export type Usage = {
  readonly accountId: string;
  readonly kind: UsageKind;
  /** The token, secret, allowlist entry or address. */
  readonly subject: string;
  lastAt: number;
  lastAddress: string;
  calls: number;
};

export type HourCount = { readonly accountId: string; readonly credentialId: string; readonly hour: number; calls: number };

export type Tallied = { readonly usages: readonly Usage[]; readonly hours: readonly HourCount[] };

type UsageTally = {
  readonly add: (call: Call) => void;
  /** The counts since the last call. */
  readonly take: () => Tallied;
};

const HOUR_MILLISECONDS = 3_600_000;
// Limited, so that a stolen token tried from a whole network cannot fill the table.
const MAX_REFUSED = 200;

/** Sums up usage, so that not every request writes a row. */
export function createTally(): UsageTally {
  let usages = new Map<string, UsagesOfAccount>();
  let hours = new Map<string, HourCount[]>();
  let refused = 0;

  function count(call: Call, kind: UsageKind, subject: string): void {
    const ofKind = usagesOf(usages, call.account.accountId)[kind];
    const known = ofKind.get(subject);
    if (!known && kind === "refused" && ++refused > MAX_REFUSED) return;
    const lastAddress = textOf(call.address);
    if (!known) ofKind.set(subject, { accountId: call.account.accountId, kind, subject, lastAt: call.at, lastAddress, calls: 1 });
    else {
      known.calls++;
      if (call.at < known.lastAt) return;
      known.lastAt = call.at;
      known.lastAddress = lastAddress;
    }
  }

  function countHour({ account: { accountId }, at }: Call, credentialId: string): void {
    const hour = Math.floor(at / HOUR_MILLISECONDS) * HOUR_MILLISECONDS;
    const ofCredential = hours.get(credentialId) ?? [];
    if (ofCredential.length === 0) hours.set(credentialId, ofCredential);
    const known = ofCredential.find((one) => one.hour === hour && one.accountId === accountId);
    if (known) known.calls++;
    else ofCredential.push({ accountId, credentialId, hour, calls: 1 });
  }

  return {
    add: (call) => {
      if (call.error === "ip_not_allowed") count(call, "refused", textOf(call.address));
      if (!wasAdmitted(call)) return;
      if (call.tokenId !== null) count(call, "token", call.tokenId);
      for (const entry of entriesFor(call.account.allowlist, call.address)) count(call, "entry", entry);
      const { signedBy } = call;
      if (signedBy === null || signedBy.how === "token") return;
      count(call, "secret", signedBy.credentialId);
      countHour(call, signedBy.credentialId);
    },
    take: () => {
      const ofAccounts = [...usages.values()].flatMap(({ token, secret, entry, refused: addresses }) => [token, secret, entry, addresses]);
      const taken = { usages: ofAccounts.flatMap((ofKind) => [...ofKind.values()]), hours: [...hours.values()].flat() };
      [usages, hours, refused] = [new Map(), new Map(), 0];
      return taken;
    },
  };
}

// Nested maps, so that counting a request does not have to build combined keys.
type UsagesOfAccount = Readonly<Record<UsageKind, Map<string, Usage>>>;

function usagesOf(usages: Map<string, UsagesOfAccount>, accountId: string): UsagesOfAccount {
  const known = usages.get(accountId);
  if (known) return known;
  const made: UsagesOfAccount = { token: new Map(), secret: new Map(), entry: new Map(), refused: new Map() };
  usages.set(accountId, made);
  return made;
}

// Cached with the allowlist object, which is replaced after every change.
const ranges = new WeakMap<Allowlist, readonly { readonly entry: string; readonly range: Range }[]>();
const admitting = new WeakMap<Allowlist, Map<string, readonly string[]>>();
const MAX_ADDRESSES = 256;

/** The allowlist entries that admit an address. */
function entriesFor(list: Allowlist, address: Address): readonly string[] {
  let known = admitting.get(list);
  if (!known || known.size >= MAX_ADDRESSES) {
    known = new Map();
    admitting.set(list, known);
  }
  const text = textOf(address);
  const before = known.get(text);
  if (before) return before;
  const found = rangesOf(list).flatMap(({ entry, range }) => (contains(range, address) ? [entry] : []));
  known.set(text, found);
  return found;
}

function rangesOf(list: Allowlist): readonly { readonly entry: string; readonly range: Range }[] {
  const known = ranges.get(list);
  if (known) return known;
  const made = list.entries.flatMap((entry) => {
    const range = parseRange(entry);
    return range ? [{ entry, range }] : [];
  });
  ranges.set(list, made);
  return made;
}
