import type { LookupFunction, Socket } from "node:net";
import { buildConnector } from "undici";
import { type Address, parseAddress } from "./address.ts";
import { type AddressRules, addressFault, type Endpoint, isStandardPort } from "./address-rules.ts";
import type { Resolve } from "./check-host.ts";

export type DialRules = AddressRules & {
  readonly resolve: Resolve;
  /** Certificates to trust instead of the system's. */
  readonly ca?: string;
  /** The certificate with which we identify ourselves, and its key, in PEM. */
  readonly clientCertificate?: ClientCertificate;
  /** The address of this machine that connections come from. Only names with an address of the same family can be reached. */
  readonly localAddress?: string;
  readonly connectMilliseconds: number;
};

export type ClientCertificate = { readonly certificate: string; readonly key: string; readonly passphrase?: string };

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
    else connect(withLocal(options, rules), (error, socket) => (error ? done(error, null) : checkPeer(rules, endpoint, socket, done)));
  };
}

// undici takes the local address from the options of each connection and overwrites the connector's own.
function withLocal(options: ConnectOptions, { localAddress }: DialRules): ConnectOptions {
  return localAddress === undefined ? options : { ...options, localAddress };
}

function connectorFor(rules: DialRules, endpoint: Endpoint): (options: ConnectOptions, callback: Connected) => void {
  const connect = buildConnector({
    timeout: rules.connectMilliseconds,
    lookup: checkedLookup(rules, endpoint),
    autoSelectFamily: true,
    ...tlsOptions(rules),
  });
  return (options, callback) => connect(options, callback as Parameters<Connector>[1]);
}

/** What a TLS connection needs beside the name of the host. */
export function tlsOptions({ ca, clientCertificate }: Pick<DialRules, "ca" | "clientCertificate">) {
  const { certificate, key, passphrase } = clientCertificate ?? {};
  return {
    ...(ca === undefined ? {} : { ca }),
    ...(certificate === undefined ? {} : { cert: certificate }),
    ...(key === undefined ? {} : { key }),
    ...(passphrase === undefined ? {} : { passphrase }),
  };
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

/** The addresses of a name, all of them allowed; throws a DialRefusal otherwise. */
export async function checkedAddresses(rules: DialRules, endpoint: Endpoint, hostname: string): Promise<readonly Address[]> {
  const literal = parseAddress(hostname.replace(/^\[|\]$/g, ""));
  if (literal) return allowed(rules, endpoint, [literal]);
  const texts = await rules.resolve(hostname).catch(() => []);
  const addresses = texts.map(parseAddress);
  const known = addresses.filter((address) => address !== null);
  if (known.length === 0 || known.length < addresses.length) throw new DialRefusal("Its host name does not resolve to an address.", "name");
  const allowedOnes = allowed(rules, endpoint, known);
  const family = parseAddress(rules.localAddress ?? "")?.kind();
  const reachable = family ? allowedOnes.filter((address) => address.kind() === family) : allowedOnes;
  if (reachable.length === 0) throw new DialRefusal(`Its host has no ${family} address, which the source address demands.`, "name");
  return reachable;
}

function allowed(rules: DialRules, endpoint: Endpoint, addresses: readonly Address[]): readonly Address[] {
  const fault = addressFault(endpoint, addresses, rules);
  if (fault !== null) throw new DialRefusal(fault);
  return addresses;
}

function checkPeer(rules: DialRules, endpoint: Endpoint, socket: Socket | null, done: Connected): void {
  const peer = parseAddress(socket?.remoteAddress ?? "");
  const fault = peer ? addressFault(endpoint, [peer], rules) : "The connection has no peer.";
  if (fault !== null) socket?.destroy();
  done(fault === null ? null : new DialRefusal(fault), fault === null ? socket : null);
}
