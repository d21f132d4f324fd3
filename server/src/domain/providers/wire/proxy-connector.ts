import type { Socket } from "node:net";
import { buildConnector } from "undici";
import {
  checkedAddresses,
  DialRefusal,
  type DialRules,
  guardedConnector,
  tlsOptions,
} from "../../../platform/network/guarded-connector.ts";

export type ProxySettings = {
  /** http:// or https://, with the user and password in the URL if the proxy demands them. */
  readonly url: string;
  /**
   * `address`: the proxy is told the address that we have checked. `name`: it is told the name, for proxies that filter by
   * names; the name is checked before, and what the proxy makes of it is up to the proxy.
   */
  readonly connectTo?: "address" | "name";
};

/** The proxy did not make the connection. `ours`: it refused us or is down, which says nothing about the provider. */
export class ProxyRefusal extends Error {
  readonly ours: boolean;

  constructor(why: string, ours: boolean) {
    super(why);
    this.name = "ProxyRefusal";
    this.ours = ours;
  }
}

type Connector = ReturnType<typeof buildConnector>;
type ConnectOptions = Parameters<Connector>[0];
type Connected = (error: Error | null, socket: Socket | null) => void;

const MAX_HEAD_BYTES = 16 * 1024;
// The proxy reports with these that it could not reach the target.
const TARGET_FAULTS = new Set(["502", "503", "504"]);

/**
 * Connects through an HTTP proxy with CONNECT, also for plain HTTP. Proxy and target both obey the address rules: the proxy's
 * address must be public or allowed by the configuration, and so must every address of the target's name.
 */
export function proxyConnector(rules: DialRules, proxy: ProxySettings): Connector {
  const url = new URL(proxy.url);
  // The client certificate is for the provider, not for the proxy.
  const { clientCertificate: _, ...toProxy } = rules;
  const dial = guardedConnector(toProxy) as (options: ConnectOptions, callback: Connected) => void;
  const secure = buildConnector({ timeout: rules.connectMilliseconds, ...tlsOptions(rules) });
  return (options, callback) => {
    const done = callback as Connected;
    targetOf(rules, proxy, options).then(
      (target) =>
        dial(optionsOf(url), (error, socket) => {
          if (error || !socket) done(error instanceof DialRefusal ? error : new ProxyRefusal("the proxy cannot be reached", true), null);
          else
            openTunnel({ socket, target, url, milliseconds: rules.connectMilliseconds }, (refusal) => {
              if (refusal) done(refusal, null);
              else if (options.protocol !== "https:") done(null, socket);
              else secure({ ...options, httpSocket: socket }, callback);
            });
        }),
      (error: unknown) => done(error instanceof Error ? error : new Error(String(error)), null),
    );
  };
}

function optionsOf(url: URL): ConnectOptions {
  const hostname = url.hostname.replace(/^\[|\]$/g, "");
  const port = url.port === "" ? (url.protocol === "https:" ? "443" : "80") : url.port;
  return { hostname, host: url.host, protocol: url.protocol, port };
}

/** Checks the target's name and returns what the proxy is told. */
async function targetOf(rules: DialRules, { connectTo }: ProxySettings, options: ConnectOptions): Promise<string> {
  const endpoint = { protocol: options.protocol, port: options.port ?? "" };
  // The source address is that of the connection to the proxy.
  const { localAddress: _, ...anyFamily } = rules;
  const [first] = await checkedAddresses(anyFamily, endpoint, options.hostname);
  const port = options.port || (options.protocol === "https:" ? "443" : "80");
  const host = connectTo === "name" ? options.hostname : (first?.toString() ?? options.hostname);
  return `${host.includes(":") && !host.startsWith("[") ? `[${host}]` : host}:${port}`;
}

type Tunnel = { readonly socket: Socket; readonly target: string; readonly url: URL; readonly milliseconds: number };

function openTunnel({ socket, target, url, milliseconds }: Tunnel, done: (refusal: ProxyRefusal | null) => void): void {
  let head = "";
  const timer = setTimeout(() => end(new ProxyRefusal(`the proxy did not answer within ${milliseconds} ms`, true)), milliseconds);
  const onData = (chunk: Buffer) => {
    head += chunk.toString("latin1");
    const headEnd = head.indexOf("\r\n\r\n");
    if (headEnd >= 0) end(refusalIn(head, headEnd));
    else if (head.length > MAX_HEAD_BYTES) end(new ProxyRefusal("the proxy's answer is too long", true));
  };
  const onClose = () => end(new ProxyRefusal("the proxy closed the connection", true));
  function end(refusal: ProxyRefusal | null): void {
    clearTimeout(timer);
    socket.off("data", onData).off("close", onClose).off("error", onClose);
    socket.pause();
    if (refusal) socket.destroy();
    done(refusal);
  }
  socket.on("data", onData).on("close", onClose).on("error", onClose);
  socket.write(`CONNECT ${target} HTTP/1.1\r\nhost: ${target}\r\n${proxyCredentials(url)}\r\n`);
}

/** A provider says nothing before it is asked, so bytes after the head are not from a tunnel. */
function refusalIn(head: string, headEnd: number): ProxyRefusal | null {
  const [, status = ""] = /^HTTP\/1\.[01] ([0-9]{3})/.exec(head) ?? [];
  if (!status.startsWith("2"))
    return new ProxyRefusal(`the proxy refused the connection (${status || "no HTTP"})`, !TARGET_FAULTS.has(status));
  return head.length > headEnd + 4 ? new ProxyRefusal("the proxy sent more than its answer", true) : null;
}

function proxyCredentials({ username, password }: URL): string {
  if (username === "") return "";
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return `proxy-authorization: Basic ${Buffer.from(pair).toString("base64")}\r\n`;
}
