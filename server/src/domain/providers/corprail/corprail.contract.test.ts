import { systemClock } from "../../../platform/core/clock.ts";
import { type ConnectorUnderTest, connectorContract } from "../testing/contract-suite.ts";
import { testEgress } from "../testing/egress.ts";
import { providerRequest } from "../testing/requests.ts";
import { BEHAVIOURS, type Received, startUnrulyServer, type Words } from "../testing/unruly-server.ts";
import { createCorprailConnector } from "./corprail.ts";
import { readCorprailSettings } from "./settings.ts";

const STATUS = { success: "SUCCESS", failure: "FAILED", pending: "pending", "another reference": "SUCCESS", "undeclared status": "QUEUED" };

function referenceIn(request: Received): string {
  if (request.method === "GET") return new URL(request.url, "http://x").searchParams.get("urid") ?? "";
  return String((JSON.parse(request.body) as { urid: string }).urid);
}

const words: Words = (kind, request) => {
  const urid = kind === "another reference" ? "OTHER" : referenceIn(request);
  if (kind === "not found")
    return { status: 404, body: JSON.stringify({ status: "rejected", error: "not_found", code: 125, message: "No.", urid }) };
  const status = kind === "no status" ? {} : { status: STATUS[kind] };
  const rest = {
    code: 0,
    order_id: "01ORDER00001",
    urid,
    operator_ref: "OP1",
    amount: "199.0000",
    account: "1",
    balance: "1.0000",
    message: "Said.",
  };
  return { status: 200, body: JSON.stringify({ ...status, ...rest }) };
};

const subject: ConnectorUnderTest = {
  name: "corprail",
  behaviours: BEHAVIOURS,
  failureWhenAsked: "reversed",
  open: async (behaviour, timeoutMilliseconds) => {
    const server = await startUnrulyServer(behaviour, words);
    const timeouts = { connect_ms: 5000, whole_ms: timeoutMilliseconds };
    const read = readCorprailSettings({ base_url: server.origin, plain_http: true, timeouts });
    if (!read.ok) throw new Error("The settings are wrong.");
    const secrets = { token: "tok_live_x", signingSecret: "sig_x", callbackSecret: "" };
    const connector = createCorprailConnector({ settings: read.settings, secrets, clock: systemClock(), egress: testEgress() });
    return {
      connector,
      request: providerRequest(),
      references: () => server.received.map(referenceIn),
      close: async () => {
        await connector.close();
        await server.close();
      },
    };
  },
};

connectorContract(subject);
