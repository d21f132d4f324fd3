import type { LookupFunction, Socket } from "node:net";
import { buildConnector } from "undici";
import { type Address, parseAddress } from "./address.ts";
import { type AddressRules, addressFault, type Endpoint, isStandardPort } from "./address-rules.ts";
import type { Resolve } from "./check-host.ts";

export type DialRules = AddressRules & {
  readonly resolve: Resolve;
  /** Certificates to trust instead of the system's. */
  readonly ca?: string;
  readonly connectMilliseconds: number;
};

/** Why a connection was refused. The message may be shown to users. */
export class DialRefusal extends Error {
  /** `address`: the address is not allowed; `name`: the name has no address. */
  readonly about: "address" | "name";

  constructor(why: string, about: "address" | "name" = "address") {
    super(why);
    this.name = "DialRefusal";
    this.about = about;
  }
}

type Connector = ReturnType<typeof buildConnector>;
type ConnectOptions = Parameters<Connector>[0];
type Connected = (error: Error | null, socket: Socket | null) => void;

/**
 * Connects to checked addresses only. The name is resolved once per connection, the checked address is dialled, and the
 * peer's address is checked again, so that DNS cannot change in between. SNI and certificate use the name.
 */
export function guardedConnector(rules: DialRules): Connector {
  // The rules depend on scheme and port, which a connector's lookup does not receive. So each case has its own connector.
  const plain = connectorFor(rules, { protocol: "http:", port: "" });
  const secure = connectorFor(rules, { protocol: "https:", port: "443" });
  const oddPort = connectorFor(rules, { protocol: "https:", port: "0" });
  return (options, callback) => {
    const done = callback as Connected;
    const endpoint = { protocol: options.protocol, port: options.port ?? "" };
    const literal = parseAddress(options.hostname);
    const fault = literal ? addressFault(endpoint, [literal], rules) : null;
    const connect = endpoint.protocol !== "https:" ? plain : isStandardPort(endpoint.port) ? secure : oddPort;
    if (fault !== null) done(new DialRefusal(fault), null);
    else connect(options, (error, socket) => (error ? done(error, null) : checkPeer(rules, endpoint, socket, done)));
  };
}

function connectorFor(rules: DialRules, endpoint: Endpoint): (options: ConnectOptions, callback: Connected) => void {
  const connect = buildConnector({
    timeout: rules.connectMilliseconds,
    lookup: checkedLookup(rules, endpoint),
    autoSelectFamily: true,
    ...(rules.ca === undefined ? {} : { ca: rules.ca }),
  });
  return (options, callback) => connect(options, callback as Parameters<Connector>[1]);
}

function checkedLookup(rules: DialRules, endpoint: Endpoint): LookupFunction {
  return (hostname, options, callback) => {
    checkedAddresses(rules, endpoint, hostname).then(
      (addresses) => {
        const found = addresses.map((address) => ({ address: address.toString(), family: address.kind() === "ipv4" ? 4 : 6 }));
        const [first] = found;
        if (options.all) callback(null, found);
        else callback(null, first?.address ?? "", first?.family ?? 4);
      },
      (error: unknown) => callback(error instanceof Error ? error : new Error(String(error)), options.all ? [] : "", 4),
    );
  };
}

async function checkedAddresses(rules: DialRules, endpoint: Endpoint, hostname: string): Promise<readonly Address[]> {
  const texts = await rules.resolve(hostname).catch(() => []);
  const addresses = texts.map(parseAddress);
  const known = addresses.filter((address) => address !== null);
  if (known.length === 0 || known.length < addresses.length) throw new DialRefusal("Its host name does not resolve to an address.", "name");
  const fault = addressFault(endpoint, known, rules);
  if (fault !== null) throw new DialRefusal(fault);
  return known;
}

function checkPeer(rules: DialRules, endpoint: Endpoint, socket: Socket | null, done: Connected): void {
  const peer = parseAddress(socket?.remoteAddress ?? "");
  const fault = peer ? addressFault(endpoint, [peer], rules) : "The connection has no peer.";
  if (fault !== null) socket?.destroy();
  done(fault === null ? null : new DialRefusal(fault), fault === null ? socket : null);
}
