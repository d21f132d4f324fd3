import type { TransactionName } from "@corprail/connector";
import type { Finding, ReadCall, Shadow } from "../../connector.ts";
import type { TransactionDefinition } from "../language/operations.ts";
import type { Engine } from "./engine.ts";
import type { Login } from "./login.ts";
import { askTransaction, sendTransaction } from "./transaction.ts";
import type { Exchange } from "./transport.ts";

type Call = Pick<ReadCall, "part" | "request">;

/** Runs a call and gives its answers to the shadow, if there is one. The result never depends on the shadow. */
export function withShadow<Found extends Finding>(
  engine: Engine,
  shadow: Shadow | null,
  call: Call,
  run: (engine: Engine) => Promise<Found>,
): Promise<Found> {
  return shadow === null ? run(engine) : runWithShadow(engine, shadow, call, run);
}

async function runWithShadow<Found extends Finding>(
  engine: Engine,
  shadow: Shadow,
  call: Call,
  run: (engine: Engine) => Promise<Found>,
): Promise<Found> {
  const exchanges: Exchange[] = [];
  const exchange: Engine["transport"]["exchange"] = async (sent, sending) => {
    const ended = await engine.transport.exchange(sent, sending);
    exchanges.push(ended);
    return ended;
  };
  const finding = await run({ ...engine, transport: { ...engine.transport, exchange } });
  // Without an answer there is nothing that another version could read otherwise.
  if (exchanges.length > 0 && exchanges.every(({ kind }) => kind === "answered")) tell(shadow, { ...call, exchanges }, finding);
  return finding;
}

// The request was sent, so its outcome must not be lost here. The shadow logs its own errors.
function tell(shadow: Shadow, call: ReadCall, finding: Finding): void {
  try {
    shadow(call, finding);
  } catch {}
}

const NEVER = new AbortController().signal;
const NO_ANSWER: Exchange = { kind: "unknown", why: "the candidate makes a request that the current version did not make" };

/** Carries a call out with answers that were given to another version of the description. Nothing is sent. */
export async function readAgain(
  engine: Engine,
  found: { readonly name: TransactionName; readonly transaction: TransactionDefinition } | null,
  { part, request, exchanges }: ReadCall,
  standIn: string | null,
): Promise<Finding> {
  if (found === null) return { kind: "unknown", why: "the description has no such operation" };
  const answers = [...exchanges];
  const transport: Engine["transport"] = { exchange: async () => answers.shift() ?? NO_ANSWER, close: async () => {} };
  const offline: Engine = { ...engine, transport, login: engine.login === null ? null : loggedIn(standIn ?? "token") };
  const asked = { request, signal: NEVER, record: undefined };
  const run = part === "send" ? sendTransaction : askTransaction;
  return await run(offline, found.name, found.transaction, asked);
}

function loggedIn(token: string): Login {
  const result = async () => ({ ok: true, token }) as const;
  return { token: result, renew: result, reject: () => {} };
}
