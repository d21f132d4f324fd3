import { systemClock } from "../../../platform/core/clock.ts";
import { type ConnectorUnderTest, connectorContract } from "../testing/contract-suite.ts";
import { providerRequest } from "../testing/requests.ts";
import type { Behaviour } from "../testing/unruly-server.ts";
import { createSimulator } from "./simulator.ts";

const TARGETS: Partial<Record<Behaviour, string>> = {
  success: "9876543000",
  failure: "9876543102",
  pending: "9876543110",
  "slow success": "9876543150",
  "server error": "9876543141",
  "never answers": "9876543130",
  "refuses the connection": "9876543140",
};

const subject: ConnectorUnderTest = {
  name: "simulator",
  failureWhenAsked: "declined",
  findings: { "refuses the connection": ["not_found"] },
  behaviours: Object.keys(TARGETS) as readonly Behaviour[],
  open: async (behaviour, timeoutMilliseconds) => {
    const target = TARGETS[behaviour] ?? "";
    const connector = createSimulator({ delayMilliseconds: 60_000, timeoutMilliseconds, clock: systemClock(), reportTo: () => {} });
    // A slow one has had its two seconds by the time somebody asks.
    const createdAt = behaviour === "slow success" ? Date.now() - 3000 : Date.now();
    return { connector, request: providerRequest({ target, createdAt }), references: null, close: () => connector.close() };
  },
};

connectorContract(subject);
