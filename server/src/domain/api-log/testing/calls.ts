import { accountWith } from "../../../api/client/gate/testing/account.ts";
import { randomIds } from "../../../platform/core/ids.ts";
import { type Address, parseAddress } from "../../../platform/network/address.ts";
import type { Account } from "../../accounts/account.ts";
import { parseAllowlist } from "../../accounts/allowlist.ts";
import type { Call } from "../call.ts";

const ids = randomIds();

export function addressOf(text: string): Address {
  const address = parseAddress(text);
  if (!address) throw new Error(`Not an address: ${text}`);
  return address;
}

export function allowing(...entries: readonly string[]): Account["allowlist"] {
  const parsed = parseAllowlist(entries);
  if (!parsed.ok) throw new Error(`Not an entry: ${parsed.wrong}`);
  return parsed.list;
}

/** An ordinary answered request. */
export function aCall(more: Partial<Call> & { readonly accountId?: string } = {}): Call {
  const { accountId, ...fields } = more;
  return {
    account: accountWith({ accountId: accountId ?? "A1", allowlist: allowing("10.0.0.0/8") }),
    at: Date.now(),
    requestId: ids.request(),
    method: "GET",
    path: "/api/corp/v1/balance",
    status: 200,
    error: null,
    code: null,
    milliseconds: 1.25,
    address: addressOf("10.0.0.1"),
    reference: null,
    orderId: null,
    signedBy: null,
    tokenId: "T1",
    isFault: false,
    bodies: null,
    lines: null,
    ...fields,
  };
}
