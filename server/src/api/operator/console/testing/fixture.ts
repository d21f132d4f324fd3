import { randomBytes } from "node:crypto";
import type { RouteOptions } from "fastify";
import { invite } from "../../../../domain/auth/team/invite.ts";
import type { StaffRole } from "../../../../domain/auth/user.ts";
import type { Mail } from "../../../../platform/mail/mailer.ts";
import { type Browser, createBrowser, enableTotp, PASSWORD } from "../../../portal/testing/browser.ts";
import type { OperatorApiDependencies } from "../../dependencies.ts";
import { type TestApi, testApi } from "../../testing/api.ts";
import { type ConsoleContext, consoleApi } from "../plugin.ts";
import { type StaffSession, staffSessions } from "../session.ts";

export type StaffMember = { readonly browser: Browser; readonly email: string; readonly userId: string; readonly secret: string };

export type ConsoleFixture = TestApi & {
  readonly base: string;
  readonly site: "console";
  readonly deps: OperatorApiDependencies;
  readonly mails: Mail[];
  /** Every route mounted below /console/api. */
  readonly routes: readonly RouteOptions[];
  /** Headers of a session created without a sign-in. Its proof is fresh by default. */
  readonly as: (role: StaffRole, more?: Partial<StaffSession>) => Record<string, string>;
  /** Creates a signed-in staff member with an authenticator app. */
  readonly newStaff: (role: StaffRole) => Promise<StaffMember>;
};

/** The operator API with key and session authentication, on a real socket and database. */
export async function createConsoleFixture(change: Partial<OperatorApiDependencies> = {}): Promise<ConsoleFixture> {
  const sessions = new Map<string, StaffSession>();
  const [mails, routes]: [Mail[], RouteOptions[]] = [[], []];
  let deps: OperatorApiDependencies | null = null;
  const api = await testApi(change, async (app, dependencies) => {
    deps = dependencies;
    const signedIn = staffSessions(dependencies.staff);
    const ctx: ConsoleContext = {
      auth: dependencies.staff,
      oidc: dependencies.oidc,
      mail: { isSetUp: true, send: async (mail) => mails.push(mail) > 0 },
      checkReplies: true,
      log: dependencies.log,
      clock: dependencies.clock,
      mode: dependencies.providerRegistry.mode,
      publicUrl: null,
      trustedProxies: [],
      findSession: async (token, look) => sessions.get(token) ?? (await signedIn(token, look)),
    };
    app.addHook("onRoute", (route) => {
      routes.push(route);
    });
    await app.register(consoleApi(ctx, dependencies), { prefix: "/console/api" });
  });
  if (deps === null) throw new Error("Nothing was mounted.");
  const fixture = { ...api, base: api.origin, site: "console" as const, deps: deps as OperatorApiDependencies, mails, routes };
  return {
    ...fixture,
    as: (role, more = {}) => {
      const token = randomBytes(32).toString("base64url");
      const session = newSession(role, { provedAt: api.settings.clock.now(), ...more });
      sessions.set(token, session);
      return { cookie: `corprail_console=${token}`, origin: api.origin, "x-csrf-token": session.csrfToken };
    },
    newStaff: (role) => newStaff(fixture, role),
  };
}

let made = 0;

async function newStaff(fixture: Omit<ConsoleFixture, "as" | "newStaff">, role: StaffRole): Promise<StaffMember> {
  const email = `${role}${++made}@corprail.example`;
  const invited = await invite(fixture.deps.staff, "test", { accountId: null, email, role });
  if (invited.kind !== "done") throw new Error("The invitation could not be made.");
  const browser = createBrowser(fixture);
  const accepted = await browser.post("/invitations/accept", { token: invited.token, name: "Meera Nair", password: PASSWORD });
  if (accepted.body.stage !== "enrol") throw new Error(accepted.text);
  const { secret } = await enableTotp(fixture, { browser });
  return { browser, email, secret, userId: (await browser.get("/session")).body.user.user_id };
}

function newSession(role: StaffRole, more: Partial<StaffSession> & { readonly provedAt: number }): StaffSession {
  const id = randomBytes(6).toString("hex").toUpperCase();
  return {
    sessionId: `S${id}`,
    userId: `U${id}`,
    accountId: null,
    email: `${role}@corprail.example`,
    name: "Meera Nair",
    role,
    language: null,
    csrfToken: randomBytes(16).toString("base64url"),
    stage: "full",
    viewing: false,
    identityProviderId: null,
    ...more,
  };
}
