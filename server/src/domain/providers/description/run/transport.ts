import type { Recorder } from "../../connector.ts";
import { secretMask } from "../../masking/mask-secrets.ts";
import { type Answer, type CreateWire, createWire, type Egress, type Exchange, type WireOptions } from "../../wire/exchange.ts";
import { percentEncode } from "../../wire/percent-encode.ts";
import type { Description } from "../definition.ts";
import type { TextCall } from "../request/build-request.ts";
import type { Secrets } from "../request/scope.ts";

export type { Answer, Exchange };

/** How one call is sent and kept as evidence. */
export type Sending = {
  readonly operation: string;
  readonly isQuery: boolean;
  readonly timeoutMilliseconds: number;
  readonly signal: AbortSignal;
  readonly record: Recorder | undefined;
  /** What stays readable in evidence although it looks like an account number. */
  readonly readable: readonly string[];
  /** Values of this call that belong into no evidence: its token, signatures and keys. */
  readonly hidden: readonly string[];
  /** The call as evidence shows it. */
  readonly shown: TextCall;
};

export type Transport = {
  readonly exchange: (call: TextCall, sending: Sending) => Promise<Exchange>;
  readonly close: () => Promise<void>;
};

export type TransportOptions = {
  readonly definition: Description;
  readonly secrets: Secrets;
  readonly egress: Egress;
  readonly now: () => number;
  readonly createWire?: CreateWire | undefined;
};

/** The connections to one provider, with the limits and the network that its description declares. */
export function createTransport({ definition, secrets, egress, now, createWire: create = createWire }: TransportOptions): Transport {
  const wire = create({
    egress,
    connectMilliseconds: definition.timeouts.connect_seconds * 1000,
    wholeMilliseconds: definition.timeouts.whole_seconds * 1000,
    mask: secretMask(Object.values(secrets)),
    now,
    ...limitsOf(definition),
    ...networkOf(definition, secrets),
  });
  return {
    exchange: ({ method, origin, path, headers, body }, sending) => {
      const kind = sending.isQuery ? "query" : "transaction";
      const sent = { method, origin, path, headers, body, kind, wholeMilliseconds: sending.timeoutMilliseconds } as const;
      return wire.exchange(sent, sending.signal, sending);
    },
    close: () => wire.close(),
  };
}

function limitsOf({ limits }: Description): Pick<WireOptions, "limits"> {
  return {
    limits: {
      ...(limits.requests_per_second === undefined ? {} : { requestsPerSecond: limits.requests_per_second }),
      ...(limits.concurrent === undefined ? {} : { concurrency: limits.concurrent }),
    },
  };
}

function networkOf({ network }: Description, secrets: Secrets): Pick<WireOptions, "clientCertificate" | "proxy" | "localAddress" | "ca"> {
  // Secrets are entered as one line, so \\n may stand for a line break.
  const secret = (name: string | undefined) => (name === undefined ? undefined : secrets[name]?.replaceAll("\\n", "\n"));
  const [certificate, key, ca] = [secret(network.client_certificate), secret(network.client_key), secret(network.ca)];
  return {
    ...(certificate === undefined || key === undefined ? {} : { clientCertificate: { certificate, key } }),
    ...(ca === undefined ? {} : { ca }),
    ...(network.source_address === undefined ? {} : { localAddress: network.source_address }),
    ...(network.proxy === undefined ? {} : { proxy: { url: withSecrets(network.proxy, secrets) } }),
  };
}

/** The password of a proxy is a secret, so its address may contain {secret.name}. */
function withSecrets(text: string, secrets: Secrets): string {
  return text.replace(/\{secret\.([a-z0-9_]+)\}/g, (_, name: string) => percentEncode(secrets[name] ?? ""));
}
