import type { Area } from "../catalogue.ts";
import { allowlist } from "./allowlist.ts";
import { analytics } from "./analytics.ts";
import { apiAccess } from "./api-access.ts";
import { audit } from "./audit.ts";
import { callbacks } from "./callbacks.ts";
import { complaints } from "./complaints.ts";
import { credentials } from "./credentials.ts";
import { exports } from "./exports.ts";
import { home } from "./home.ts";
import { jobs } from "./jobs.ts";
import { limits } from "./limits.ts";
import { logs } from "./logs.ts";
import { members } from "./members.ts";
import { operators } from "./operators.ts";
import { portal } from "./portal.ts";
import { replay } from "./replay.ts";
import { sandbox } from "./sandbox.ts";
import { security } from "./security.ts";
import { shell } from "./shell.ts";
import { signIn } from "./sign-in.ts";
import { signatureDebugger } from "./signature-debugger.ts";
import { singleSignOn } from "./single-sign-on.ts";
import { status } from "./status.ts";
import { statusSubscriptions } from "./status-subscriptions.ts";
import { tokens } from "./tokens.ts";
import { transactions } from "./transactions.ts";
import { ui } from "./ui.ts";
import { wallet } from "./wallet.ts";

export { numberWords } from "./number-words.ts";
export { serverTexts } from "./server-texts.ts";

/** Every area in Hindi. */
export const translations = {
  allowlist,
  analytics,
  "api-access": apiAccess,
  audit,
  callbacks,
  complaints,
  credentials,
  exports,
  home,
  jobs,
  limits,
  logs,
  members,
  operators,
  portal,
  replay,
  sandbox,
  security,
  shell,
  "sign-in": signIn,
  "signature-debugger": signatureDebugger,
  "single-sign-on": singleSignOn,
  status,
  "status-subscriptions": statusSubscriptions,
  tokens,
  transactions,
  ui,
  wallet,
} as const satisfies Readonly<Record<Area, object>>;
