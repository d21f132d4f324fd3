import type { QueryInput, QueryName, QueryValue } from "@corprail/connector";
import { expect } from "vitest";
import type { Connector, Outcome, ProviderRequest } from "../../../providers/connector.ts";
import { createCorprailConnector } from "../../../providers/corprail/corprail.ts";
import { readCorprailSettings } from "../../../providers/corprail/settings.ts";
import { testEgress } from "../../../providers/testing/egress.ts";
import { NEVER, providerRequest } from "../../../providers/testing/requests.ts";
import { type Client, createServiceFixture, type ServiceFixture, type ServiceFixtureOptions } from "../../testing/service-fixture.ts";

/** A running installation, and a connector through which another one uses it as its provider. */
export type OtherInstallation = {
  readonly fixture: ServiceFixture;
  /** The account that we have there. */
  readonly account: Client;
  readonly connector: Connector;
  /** A query that must be answered. */
  readonly answer: <Name extends QueryName>(name: Name, input: QueryInput<Name>) => Promise<QueryValue<Name>>;
  readonly query: <Name extends QueryName>(name: Name, input: QueryInput<Name>) => ReturnType<Connector["query"]>;
  readonly send: (request: ProviderRequest) => Promise<Outcome>;
  readonly ask: (request: ProviderRequest) => ReturnType<Connector["ask"]>;
  readonly close: () => Promise<void>;
};

export async function startOtherInstallation(
  options: ServiceFixtureOptions & { readonly rupees?: number } = {},
): Promise<OtherInstallation> {
  const fixture = await createServiceFixture(options);
  const account = await fixture.newClient(options.rupees ?? 100_000);
  const connector = connectorOf(fixture, account);
  return {
    fixture,
    account,
    connector,
    query: (name, input) => connector.query(name, input, NEVER),
    answer: async (name, input) => {
      const result = await connector.query(name, input, NEVER);
      if (result.kind !== "answered") throw new Error(`${name}: ${JSON.stringify(result)}`);
      return result.value;
    },
    send: (request) => connector.send(request, NEVER),
    ask: (request) => connector.ask(request, NEVER),
    close: async () => {
      await connector.close();
      await fixture.close();
    },
  };
}

export function connectorOf(fixture: ServiceFixture, { credentials }: Client, more: object = {}): Connector {
  const read = readCorprailSettings({ base_url: credentials.origin, plain_http: true, ...more });
  if (!read.ok) throw new Error("The settings are wrong.");
  const secrets = { ...credentials, callbackSecret: "" };
  return createCorprailConnector({ settings: read.settings, secrets, clock: fixture.orders.clock, egress: testEgress() });
}

let made = 0;

/** An order of ours with a unique reference. */
export function newOrder(what: Parameters<typeof providerRequest>[0]): ProviderRequest {
  return providerRequest({ reference: `ORDER${(++made).toString().padStart(7, "0")}`, ...what });
}

export function newReference(): string {
  return `REFERENCE${(++made).toString().padStart(7, "0")}`;
}

/** Waits until the provider's later result is there. */
export async function settled(other: OtherInstallation, request: ProviderRequest) {
  await expect.poll(async () => (await other.ask(request)).kind, { timeout: 5000, interval: 20 }).not.toBe("pending");
  return await other.ask(request);
}
