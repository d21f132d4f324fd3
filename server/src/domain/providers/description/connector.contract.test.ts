import { createHmac } from "node:crypto";
import type { ContractCallbacks } from "@corprail/connector/testing";
import { systemClock } from "../../../platform/core/clock.ts";
import { type ConnectorUnderTest, connectorContract, type Harness } from "../testing/contract-suite.ts";
import { defined, JSON_SPOKEN, type Spoken, TEXT_SPOKEN, XML_SPOKEN } from "../testing/definitions.ts";
import { testEgress } from "../testing/egress.ts";
import { providerRequest } from "../testing/requests.ts";
import { BEHAVIOURS, type Behaviour, type Received, startUnrulyServer } from "../testing/unruly-server.ts";
import { createDescriptionConnector } from "./connector.ts";

const SECRETS = { token: "s3cret-token", hook: "s3cret-of-callbacks" };
const ISSUED = "t0ken-of-the-login";
const MESSAGE = { method: "POST", path: "", source: "203.0.113.7", query: {}, headers: {}, body: "" };

/** A description in one format, with callbacks that are proved in one way. */
type Described = {
  readonly name: string;
  readonly spoken: Spoken;
  readonly callback: object;
  readonly genuine: Pick<ContractCallbacks, "proof" | "genuine">;
  /** Fields that a login adds. */
  readonly login?: object;
};

const OUTCOME = [{ when: { status: "SUCCESS" }, means: "success" }];
const isLogin = ({ url }: Received) => url.startsWith("/login");

async function open(
  { spoken, login, callback }: Described,
  behaviour: Behaviour,
  milliseconds: number,
  expiresToken = false,
): Promise<Harness> {
  const words: Spoken["words"] = (kind, request) =>
    isLogin(request) ? { status: 200, body: JSON.stringify({ session: ISSUED }) } : spoken.words(kind, request);
  const server = await startUnrulyServer(behaviour, words, { isLogin, expiresToken });
  const connector = connect(server.origin, { spoken, login, callback }, milliseconds);
  return {
    connector,
    request: providerRequest(),
    references: () => server.received.map(spoken.referenceIn),
    close: async () => {
      await connector.close();
      await server.close();
    },
  };
}

function connect(
  origin: string,
  { spoken, login, callback }: Pick<Described, "spoken" | "callback"> & { login?: object | undefined },
  milliseconds = 20_000,
) {
  const definition = defined({
    ...spoken.describe(origin),
    ...login,
    secrets: Object.keys(SECRETS),
    timeouts: { connect_seconds: 5, whole_seconds: milliseconds / 1000 },
    callbacks: [callback],
  });
  return createDescriptionConnector({ definition, secrets: SECRETS, clock: systemClock(), egress: testEgress() });
}

function underTest(described: Described): ConnectorUnderTest {
  const reader = connect("http://127.0.0.1:9", described);
  return {
    name: described.name,
    behaviours: BEHAVIOURS,
    failureWhenAsked: "declined",
    secrets: [...Object.values(SECRETS), ISSUED],
    open: (behaviour, milliseconds) => open(described, behaviour, milliseconds),
    ...(described.login === undefined
      ? {}
      : { logsIn: true, openWithExpiredToken: (milliseconds) => open(described, "success", milliseconds, true) }),
    callbacks: { ...described.genuine, read: (message) => reader.readCallback?.(message) },
  };
}

const SIGNED: Pick<Described, "callback" | "genuine"> = {
  callback: { auth: { kind: "hmac", header: "x-signature", secret: "hook" }, reference: "ref", outcome: OUTCOME },
  genuine: {
    proof: "signature",
    genuine: () => {
      const body = JSON.stringify({ ref: "R1", status: "SUCCESS" });
      return { ...MESSAGE, headers: { "x-signature": createHmac("sha256", SECRETS.hook).update(body).digest("hex") }, body };
    },
  },
};

connectorContract(underTest({ name: "description with JSON", spoken: JSON_SPOKEN, ...SIGNED }));
connectorContract(
  underTest({
    name: "description with a login",
    spoken: JSON_SPOKEN,
    ...SIGNED,
    login: {
      headers: { authorization: "Bearer {token}" },
      login: { request: { url: "/login", body: { json: { key: "{secret.token}" } } }, token: "session", lasts_seconds: 600 },
    },
  }),
);
connectorContract(
  underTest({
    name: "description with XML",
    spoken: XML_SPOKEN,
    callback: { auth: { kind: "key", header: "x-key", secret: "hook" }, read: { format: "form" }, reference: "ref", outcome: OUTCOME },
    genuine: { proof: "key", genuine: () => ({ ...MESSAGE, headers: { "x-key": SECRETS.hook }, body: "ref=R1&status=SUCCESS" }) },
  }),
);
connectorContract(
  underTest({
    name: "description with text",
    spoken: TEXT_SPOKEN,
    callback: { auth: { kind: "hint" }, from: "query", reference: "ref" },
    genuine: { proof: "none", genuine: () => ({ ...MESSAGE, method: "GET", query: { ref: "R1", status: "SUCCESS" } }) },
  }),
);
